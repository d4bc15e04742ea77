/** How pages say that something did not work, in the languages that are most likely. Accents are taken off before. */

/** The technique failed, or somebody is to do something first. As a title no page has them that shows results. */
const broken = [
  'errors?|problems?|sorry|oops|expired|timed? ?out|forbidden|not found|unavailable|went wrong|try again|maintenance',
  'log ?in|sign ?in|log on|sign on|verify you|access denied|permission denied|fail(?:ed|s|ure)?|unable|incomplete|invalid',
  "could ?n[o']t|can ?n[o']t|can't|unsuccessful|please correct|correct (?:the|your|these|this)|aborted",
  // German
  'fehler\\w*|fehlgeschlagen|fehlt|fehlen\\w*|ungultig\\w*|unvollstandig\\w*|korrigieren|abgelaufen|anmelden|einloggen',
  'gescheitert|storung|wartung\\w*|erneut versuchen|nicht (?:moglich|erfolgreich|gefunden|verfugbar)|konnten? .{0,60}\\bnicht',
  // French
  'erreurs?|echec|echoue\\w*|desole|invalides?|incomplete?s?|expiree?|corriger|corrigez|reessaye[rz]|introuvable|indisponible',
  "se connecter|connectez-vous|identifiez-vous|manquante?s?|impossible|n'(?:a|ont|est) pas",
  // Spanish
  'errores|fall[oa]|fallad[oa]|lo sentimos|no valid[oa]s?|invalid[oa]s?|corrija|corregir|incomplet[oa]s?|caducad[oa]|expirad[oa]',
  'inici(?:ar|e) sesion|faltan?|intentelo|no encontrad[oa]|no disponible|no se (?:ha|han|pud|pued)\\w*',
  // Italian
  'errore|errori|fallit[oa]|spiacenti|non valid[oaie]|corregg\\w+|impossibile|scadut[oa]|accedi|mancan\\w*|riprova\\w*',
  'non (?:e|sono) (?:stat\\w+|possibile|riuscit\\w+|disponibil\\w+)|non trovat[oa]',
  // Dutch
  'fout|fouten|foutmelding|mislukt|ongeldige?|onvolledige?|corrigeer|verbeter|verlopen|inloggen|aanmelden|ontbreek\\w*|ontbreken',
  'probeer .{0,20}opnieuw|niet (?:mogelijk|gelukt|gevonden|verwerkt|opgeslagen|verzonden|beschikbaar)|kon(?:den)? .{0,60}\\bniet',
  // Portuguese
  'erros?|falha|falhas|falhou|desculpe|lamentamos|corrigir|iniciar sessao|faca login|tente novamente|indisponivel',
  'nao (?:foi|foram|pode|encontrad|disponivel|valid)\\w*',
];

/** The answer is no. That is a result too, where the file says what the results are. */
const negative = [
  'denied|reject\\w*|declined|refused|unfortunately|not (?:been )?(?:accepted|approved|sent|saved|processed|submitted|received)|missing',
  'leider|abgelehnt\\w*|verweigert|nicht (?:gespeichert|gesendet|verarbeitet|angenommen|ubermittelt)',
  'malheureusement|refus\\w*|rejet\\w*|lamentablemente|rechazad[oa]|denegad[oa]|purtroppo|rifiutat[oa]|respint[oa]|negat[oa]',
  'helaas|geweigerd|afgewezen|infelizmente|rejeitad[oa]|recusad[oa]|negad[oa]',
];

/** What no page says beside results that are true. */
const plain = [
  "(?:could ?n[o']t|unable to|failed to|not able to)(?: \\w+){0,3} (?:process|sav|calculat|comput|submit|sen[dt]|complet|accept|record|receiv|stor|handl)\\w*",
  // That answers were not saved is what many a calculator promises.
  "(?:can ?n[o']t|can't|was not|were not|(?:has|have) not been)(?: \\w+){0,3} (?:process|calculat|comput|complet|accept)\\w*",
  'went wrong|an error (?:has )?occurred|there (?:was|is) (?:an error|a problem)|session (?:has )?(?:expired|timed out|ended)',
  'please (?:correct|try again|fix)|(?:submission|request) (?:has )?failed',
  '(?:answers?|inputs?|entry|entries|details|values?) (?:was|were|(?:has|have) been|is|are) (?:rejected|refused|ignored|invalid|not accepted)',
  'konnten? .{0,60}\\bnicht .{0,20}(?:gespeichert|gesendet|verarbeitet|berechnet|ubermittelt|abgeschlossen)|fehler (?:ist )?aufgetreten',
  'bitte (?:korrigieren|uberprufen|versuchen)|sitzung (?:ist )?abgelaufen',
  "n'(?:a|ont) pas pu etre|une erreur (?:est survenue|s'est produite)|veuillez (?:corriger|reessayer)|session a expire",
  'no se (?:ha|han) podido|no se pudo|se ha producido un error|por favor,? (?:corrija|intentelo)|sesion ha (?:caducado|expirado)',
  'non (?:e|sono) (?:stato|stata|stati|state) possibile|si e verificato un errore|sessione (?:e )?scaduta',
  'er is (?:een fout|iets (?:fout|mis))|kon(?:den)? niet worden|probeer het .{0,10}opnieuw|sessie is verlopen',
  'nao foi possivel|ocorreu um erro|tente novamente|sessao expir\\w+',
];

/** What a page asks for that did not send anything. */
const asking = [
  'please (?:accept|agree|enter|select|choose|fill|complete|confirm|provide|check|answer|tick|specify)|(?:is|are) required|must be',
  'bitte \\w+|veuillez \\w+|por favor|per favore|compila\\w*|vul .{0,40} in',
];

/** What happens to somebody who goes on. */
const consequences = [
  '(?:will|would|to) (?:be )?(?:cancel|delet|terminat|withdraw|forfeit|los[et]|charg|suspend|replac|overwrit)\\w*|perjury|binding',
  'cannot be undone|non-?refundable|irrevocabl\\w*|irreversibl\\w*|irreversible|verbindlich|unwiderruflich|kostenpflichtig',
  'definitif|definitive|vincolante|vinculante|bindend|definitief|irrevogavel|(?:wird|werden) .{0,60}(?:geloscht|gekundigt|beendet)',
];

const signing = [
  'log ?in|sign ?in|log on|sign on|log into|anmelden|einloggen|se connecter|connectez-vous|connexion|identifiez-vous',
  'inici(?:ar|e) sesion|accedi|accesso|inloggen|aanmelden|iniciar sessao|entrar',
];

const among = (...lists: (readonly string[])[]) => new RegExp(`\\b(?:${lists.flat().join('|')})(?!\\w)`);
const expressions = {
  /** As a title, that something did not work. */
  title: among(broken, plain),
  /** Anywhere, that something did not work, or that the answer is no. */
  anywhere: among(broken, negative, plain),
  /** Beyond doubt, that something did not work. */
  plain: among(plain),
  /** Something is asked for. */
  asking: among(plain, asking),
  /** Going on has consequences. */
  consequence: among(consequences),
  /** One is to sign in. */
  signing: among(signing),
};

export type Saying = keyof typeof expressions;

/** Whether a text of a page says so. */
export function says(text: string, what: Saying): boolean {
  const bare = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘`´]/g, "'")
    .toLowerCase();
  return expressions[what].test(bare.slice(0, 2_000));
}
