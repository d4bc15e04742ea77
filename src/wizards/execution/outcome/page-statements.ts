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

/** What somebody has sent. Of answers many a calculator promises that they are not sent, so those are none. */
const sending =
  '(?:applications?|claims?|forms?|requests?|submissions?|petitions?|filings?|registrations?|enrol\\w+|orders?|appeals?|bookings?)(?: \\w+){0,4}';

/** What no page says beside results that are true. */
const plain = [
  `${sending} (?:has|have|had|was|were)(?: not|n't)(?: yet)?(?: been)?(?: yet)? (?:submitted|sent|received|completed?|filed|transmitted|delivered|lodged|registered|recorded|saved|finished)`,
  `${sending} (?:is|are|was|remains?)(?: still| currently| now)? (?:not (?:yet )?(?:complete|finished|valid)|incomplete|unfinished|on hold|suspended|blocked|invalid)`,
  "(?:(?:has|have)(?: not|n't)(?: yet)? been|was not|were not) (?:yet )?submitted|on hold (?:because|until|due|pending)|(?:placed|put) on hold",
  "you (?:have|did)(?: not|n't)(?: yet)? (?:submit|complet|finish|sen[dt]|sign)\\w* (?:your|the|this)",
  "(?:could ?n[o']t|unable to|failed to|not able to)(?: \\w+){0,2} (?:verif|confirm|validat|authenticat|match)\\w*",
  "(?:can ?n[o']t|can't) (?:\\w+ )?verify your (?:identity|answers|details|information|account|address|application)",
  "(?:could ?n[o']t|unable to)(?: \\w+)? (?:find|locate|identify) (?:you|your|a record|an account|any record)",
  '(?:application |submission )?status:? (?:not (?:yet )?(?:submitted|sent|complete|received)|incomplete|on hold|failed)',
  'antrag (?:wurde|ist|konnte) .{0,40}\\bnicht (?:ubermittelt|gesendet|eingereicht|abgeschickt|vollstandig)|antrag ist (?:noch )?unvollstandig',
  "demande n'(?:a|est) pas (?:ete )?(?:envoye|transmis|soumis|complet|enregistre)\\w*|demande est incomplete",
  'solicitud (?:no ha sido|no se ha|no fue|esta incompleta)|domanda (?:non e stata|e incompleta)|aanvraag is (?:nog )?(?:niet|onvolledig)',
  'pedido (?:nao foi|esta incompleto)',
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

/** What was sent came back: all there is to tell where a page has nothing but a heading. */
const returned = [
  `${sending} (?:(?:has|have) been|was|were|is|are) (?:rejected|refused|declined|denied|cancell?ed|returned|withdrawn|not accepted)`,
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
  // What somebody consents to, or declares. The foot of many a page has a link to its agreement, and speaks of cookies.
  '(?:i|you|we|your|my)\\b(?!.{0,200}cookie).{0,150}\\b(?:consent\\w*|authori[sz](?:e|es|ing|ation)|certif(?:y|ying|ication)|agree(?:ing|ment)?|attest\\w*|affirm|declare|swear|waive\\w*)',
  'einwillig\\w*|einverstanden|stimmen? .{0,80}\\bzu|zustimm\\w*|versicher(?:e|n|t) .{0,40}dass|ermachtig\\w*|erklar(?:e|en|st) .{0,60}dass',
  "consentement|consentez|j'(?:accepte|autorise|atteste)|acceptez|autorisez|certifie[zr]?|certifico|consentimiento|acept[oa]|autoriz[oa]|declar[oa]",
  'consenso|acconsent\\w*|accett[oia]|autorizz[oia]|dichiar[oia]|akkoord|toestemming|machtig\\w*|verklaar|consentimento|concord[oa]|aceit[oa]',
];

const signing = [
  'log ?in|sign ?in|log on|sign on|log into|anmelden|einloggen|se connecter|connectez-vous|connexion|identifiez-vous',
  'inici(?:ar|e) sesion|accedi|accesso|inloggen|aanmelden|iniciar sessao|entrar',
];

const anyPattern = (...lists: (readonly string[])[]) => new RegExp(`\\b(?:${lists.flat().join('|')})(?!\\w)`, 'g');
const expressions = {
  /** As a title, that something did not work. */
  title: anyPattern(broken, plain),
  /** Anywhere, that something did not work, or that the answer is no. */
  anywhere: anyPattern(broken, negative, plain),
  /** Beyond doubt, that something did not work. */
  plain: anyPattern(plain),
  /** The same, or that what was sent was turned down. */
  refused: anyPattern(plain, returned),
  /** Something is asked for. */
  asking: anyPattern(plain, asking),
  /** Going on has consequences. */
  consequence: anyPattern(consequences),
  /** One is to sign in. */
  signing: anyPattern(signing),
};

export type PageStatement = keyof typeof expressions;

/** Whether a text of a page says so. What it says of a case that may come to pass it does not say of this one. */
export function statesThat(text: string, what: PageStatement): boolean {
  const bare = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘`´]/g, "'")
    .toLowerCase()
    .slice(0, 2_000);
  if (bare.search(expressions[what]) < 0) return false;
  if (what === 'consequence' || what === 'signing') return true;
  return bare
    .split(/(?<=[.!?;])\s+/)
    .some((sentence) => [...sentence.matchAll(expressions[what])].some((match) => !isHypothetical(sentence, match)));
}

const condition =
  /\b(?:if(?! you (?:see|are seeing|are reading))|unless|in case|should (?:you|there|we|your|any)|wenn|falls|sofern)\b|(?:^|, )(?:si|s'il|se|als|indien|caso|en cas|en caso|in caso)\b/;

/** "If there is a problem, we will write to you", "We may be unable to process it", "We cannot process it if it is late". */
function isHypothetical(sentence: string, { index, 0: words }: RegExpExecArray): boolean {
  const before = sentence.slice(0, index);
  const [isAfter] = condition.exec(before) ?? [];
  if (isAfter !== undefined) return !/\b(?:but|however|aber|mais|pero|ma|maar|mas)\b/.test(before);
  if (/\b(?:may|might)(?: \w+){0,2} $/.test(before)) return true;
  const isPresent = /\b(?:can|cannot|can't|will|would)\b/.test(before + words);
  return isPresent && condition.test(sentence.slice(index + words.length));
}
