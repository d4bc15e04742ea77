import type { PhraseTable } from '../../platform/text/phrase-table.ts';

/** What a page says about a submission, in lower case and without accents. */

/** The technique failed, or the user has to do something first. No page with results has these words as its title. */
export const technicalFailure: PhraseTable = [
  [
    'en',
    'errors?|problems?|sorry|oops|expired|timed? ?out|forbidden|not found|unavailable|went wrong|try again|maintenance',
  ],
  [
    'en',
    'log ?in|sign ?in|log on|sign on|verify you|access denied|permission denied|fail(?:ed|s|ure)?|unable|incomplete|invalid',
  ],
  ['en', "could ?n[o']t|can ?n[o']t|can't|unsuccessful|please correct|correct (?:the|your|these|this)|aborted"],
  [
    'de',
    'fehler\\w*|fehlgeschlagen|fehlt|fehlen\\w*|ungultig\\w*|unvollstandig\\w*|korrigieren|abgelaufen|anmelden|einloggen',
  ],
  [
    'de',
    'gescheitert|storung|wartung\\w*|erneut versuchen|nicht (?:moglich|erfolgreich|gefunden|verfugbar)|konnten? .{0,60}\\bnicht',
  ],
  [
    'fr',
    'erreurs?|echec|echoue\\w*|desole|invalides?|incomplete?s?|expiree?|corriger|corrigez|reessaye[rz]|introuvable|indisponible',
  ],
  ['fr', "se connecter|connectez-vous|identifiez-vous|manquante?s?|impossible|n'(?:a|ont|est) pas"],
  [
    'es',
    'errores|fall[oa]|fallad[oa]|lo sentimos|no valid[oa]s?|invalid[oa]s?|corrija|corregir|incomplet[oa]s?|caducad[oa]|expirad[oa]',
  ],
  ['es', 'inici(?:ar|e) sesion|faltan?|intentelo|no encontrad[oa]|no disponible|no se (?:ha|han|pud|pued)\\w*'],
  [
    'it',
    'errore|errori|fallit[oa]|spiacenti|non valid[oaie]|corregg\\w+|impossibile|scadut[oa]|accedi|mancan\\w*|riprova\\w*',
  ],
  ['it', 'non (?:e|sono) (?:stat\\w+|possibile|riuscit\\w+|disponibil\\w+)|non trovat[oa]'],
  [
    'nl',
    'fout|fouten|foutmelding|mislukt|ongeldige?|onvolledige?|corrigeer|verbeter|verlopen|inloggen|aanmelden|ontbreek\\w*|ontbreken',
  ],
  [
    'nl',
    'probeer .{0,20}opnieuw|niet (?:mogelijk|gelukt|gevonden|verwerkt|opgeslagen|verzonden|beschikbaar)|kon(?:den)? .{0,60}\\bniet',
  ],
  [
    'pt',
    'erros?|falha|falhas|falhou|desculpe|lamentamos|corrigir|iniciar sessao|faca login|tente novamente|indisponivel',
  ],
  ['pt', 'nao (?:foi|foram|pode|encontrad|disponivel|valid)\\w*'],
];

/** The answer is no. That is a result too, where the file says what the results are. */
export const negativeAnswer: PhraseTable = [
  [
    'en',
    'denied|reject\\w*|declined|refused|unfortunately|not (?:been )?(?:accepted|approved|sent|saved|processed|submitted|received)|missing',
  ],
  ['de', 'leider|abgelehnt\\w*|verweigert|nicht (?:gespeichert|gesendet|verarbeitet|angenommen|ubermittelt)'],
  ['fr', 'malheureusement|refus\\w*|rejet\\w*'],
  ['es', 'lamentablemente|rechazad[oa]|denegad[oa]'],
  ['it', 'purtroppo|rifiutat[oa]|respint[oa]|negat[oa]'],
  ['nl', 'helaas|geweigerd|afgewezen'],
  ['pt', 'infelizmente|rejeitad[oa]|recusad[oa]|negad[oa]'],
];

/** What a user submits. Answers are not in the list: many calculators promise that they are not sent. */
const submission =
  '(?:applications?|claims?|forms?|requests?|submissions?|petitions?|filings?|registrations?|enrol\\w+|orders?|appeals?|bookings?)(?: \\w+){0,4}';

/** The submission failed beyond doubt: no page says this beside true results. */
export const certainFailure: PhraseTable = [
  [
    'en',
    `${submission} (?:has|have|had|was|were)(?: not|n't)(?: yet)?(?: been)?(?: yet)? (?:submitted|sent|received|completed?|filed|transmitted|delivered|lodged|registered|recorded|saved|finished)`,
  ],
  [
    'en',
    `${submission} (?:is|are|was|remains?)(?: still| currently| now)? (?:not (?:yet )?(?:complete|finished|valid)|incomplete|unfinished|on hold|suspended|blocked|invalid)`,
  ],
  [
    'en',
    "(?:(?:has|have)(?: not|n't)(?: yet)? been|was not|were not) (?:yet )?submitted|on hold (?:because|until|due|pending)|(?:placed|put) on hold",
  ],
  ['en', "you (?:have|did)(?: not|n't)(?: yet)? (?:submit|complet|finish|sen[dt]|sign)\\w* (?:your|the|this)"],
  [
    'en',
    "(?:could ?n[o']t|unable to|failed to|not able to)(?: \\w+){0,2} (?:verif|confirm|validat|authenticat|match)\\w*",
  ],
  [
    'en',
    "(?:can ?n[o']t|can't) (?:\\w+ )?verify your (?:identity|answers|details|information|account|address|application)",
  ],
  ['en', "(?:could ?n[o']t|unable to)(?: \\w+)? (?:find|locate|identify) (?:you|your|a record|an account|any record)"],
  [
    'en',
    '(?:application |submission )?status:? (?:not (?:yet )?(?:submitted|sent|complete|received)|incomplete|on hold|failed)',
  ],
  [
    'de',
    'antrag (?:wurde|ist|konnte) .{0,40}\\bnicht (?:ubermittelt|gesendet|eingereicht|abgeschickt|vollstandig)|antrag ist (?:noch )?unvollstandig',
  ],
  ['fr', "demande n'(?:a|est) pas (?:ete )?(?:envoye|transmis|soumis|complet|enregistre)\\w*|demande est incomplete"],
  ['es', 'solicitud (?:no ha sido|no se ha|no fue|esta incompleta)'],
  ['it', 'domanda (?:non e stata|e incompleta)'],
  ['nl', 'aanvraag is (?:nog )?(?:niet|onvolledig)'],
  ['pt', 'pedido (?:nao foi|esta incompleto)'],
  [
    'en',
    "(?:could ?n[o']t|unable to|failed to|not able to)(?: \\w+){0,3} (?:process|sav|calculat|comput|submit|sen[dt]|complet|accept|record|receiv|stor|handl)\\w*",
  ],
  // "Saved" is not in this row: many calculators promise that answers were not saved.
  [
    'en',
    "(?:can ?n[o']t|can't|was not|were not|(?:has|have) not been)(?: \\w+){0,3} (?:process|calculat|comput|complet|accept)\\w*",
  ],
  [
    'en',
    'went wrong|an error (?:has )?occurred|there (?:was|is) (?:an error|a problem)|session (?:has )?(?:expired|timed out|ended)',
  ],
  ['en', 'please (?:correct|try again|fix)|(?:submission|request) (?:has )?failed'],
  [
    'en',
    '(?:answers?|inputs?|entry|entries|details|values?) (?:was|were|(?:has|have) been|is|are) (?:rejected|refused|ignored|invalid|not accepted)',
  ],
  [
    'de',
    'konnten? .{0,60}\\bnicht .{0,20}(?:gespeichert|gesendet|verarbeitet|berechnet|ubermittelt|abgeschlossen)|fehler (?:ist )?aufgetreten',
  ],
  ['de', 'bitte (?:korrigieren|uberprufen|versuchen)|sitzung (?:ist )?abgelaufen'],
  [
    'fr',
    "n'(?:a|ont) pas pu etre|une erreur (?:est survenue|s'est produite)|veuillez (?:corriger|reessayer)|session a expire",
  ],
  [
    'es',
    'no se (?:ha|han) podido|no se pudo|se ha producido un error|por favor,? (?:corrija|intentelo)|sesion ha (?:caducado|expirado)',
  ],
  ['it', 'non (?:e|sono) (?:stato|stata|stati|state) possibile|si e verificato un errore|sessione (?:e )?scaduta'],
  ['nl', 'er is (?:een fout|iets (?:fout|mis))|kon(?:den)? niet worden|probeer het .{0,10}opnieuw|sessie is verlopen'],
  ['pt', 'nao foi possivel|ocorreu um erro|tente novamente|sessao expir\\w+'],
];

/** The submission came back. */
export const returnedSubmission: PhraseTable = [
  [
    'en',
    `${submission} (?:(?:has|have) been|was|were|is|are) (?:rejected|refused|declined|denied|cancell?ed|returned|withdrawn|not accepted)`,
  ],
];

/** The page asks for input, so it did not submit anything. */
export const inputRequest: PhraseTable = [
  [
    'en',
    'please (?:accept|agree|enter|select|choose|fill|complete|confirm|provide|check|answer|tick|specify)|(?:is|are) required|must be',
  ],
  ['de', 'bitte \\w+'],
  ['fr', 'veuillez \\w+'],
  ['es', 'por favor'],
  ['it', 'per favore|compila\\w*'],
  ['nl', 'vul .{0,40} in'],
];

/** What happens to a user who continues. */
export const consequence: PhraseTable = [
  [
    'en',
    '(?:will|would|to) (?:be )?(?:cancel|delet|terminat|withdraw|forfeit|los[et]|charg|suspend|replac|overwrit)\\w*|perjury|binding',
  ],
  ['en', 'cannot be undone|non-?refundable|irrevocabl\\w*|irreversibl\\w*'],
  ['de', 'verbindlich|unwiderruflich|kostenpflichtig|(?:wird|werden) .{0,60}(?:geloscht|gekundigt|beendet)'],
  ['fr', 'irreversible|definitif|definitive'],
  ['it', 'vincolante'],
  ['es', 'vinculante'],
  ['nl', 'bindend|definitief'],
  ['pt', 'irrevogavel'],
  // Consent and declarations. Many footers link to an agreement or mention cookies; those do not count.
  [
    'en',
    '(?:i|you|we|your|my)\\b(?!.{0,200}cookie).{0,150}\\b(?:consent\\w*|authori[sz](?:e|es|ing|ation)|certif(?:y|ying|ication)|agree(?:ing|ment)?|attest\\w*|affirm|declare|swear|waive\\w*)',
  ],
  [
    'de',
    'einwillig\\w*|einverstanden|stimmen? .{0,80}\\bzu|zustimm\\w*|versicher(?:e|n|t) .{0,40}dass|ermachtig\\w*|erklar(?:e|en|st) .{0,60}dass',
  ],
  ['fr', "consentement|consentez|j'(?:accepte|autorise|atteste)|acceptez|autorisez|certifie[zr]?"],
  ['es', 'certifico|consentimiento|acept[oa]|autoriz[oa]|declar[oa]'],
  ['it', 'consenso|acconsent\\w*|accett[oia]|autorizz[oia]|dichiar[oia]'],
  ['nl', 'akkoord|toestemming|machtig\\w*|verklaar'],
  ['pt', 'consentimento|concord[oa]|aceit[oa]'],
];

/** The user is asked to sign in. */
export const signInStatements: PhraseTable = [
  ['en', 'log ?in|sign ?in|log on|sign on|log into'],
  ['de', 'anmelden|einloggen'],
  ['fr', 'se connecter|connectez-vous|connexion|identifiez-vous'],
  ['es', 'inici(?:ar|e) sesion'],
  ['it', 'accedi|accesso'],
  ['nl', 'inloggen|aanmelden'],
  ['pt', 'iniciar sessao|entrar'],
];

/** The sentence says what is possible, not what happened: "We may be unable to process it". */
export const possibilityWord: PhraseTable = [['en', 'may|might']];

/** The sentence says what happens in general, if a condition follows: "We cannot process it if it is late". */
export const generalWord: PhraseTable = [['en', "can|cannot|can't|will|would"]];

/** Begins a condition anywhere in a sentence: "If there is a problem, we will write to you". */
export const conditionWord: PhraseTable = [
  ['en', 'if(?! you (?:see|are seeing|are reading))|unless|in case|should (?:you|there|we|your|any)'],
  ['de', 'wenn|falls|sofern'],
];

/** Begins a condition only at the start of a sentence or after a comma. */
export const leadingConditionWord: PhraseTable = [
  ['fr', "si|s'il|en cas"],
  ['es', 'en caso'],
  ['it', 'se|in caso'],
  ['nl', 'als|indien'],
  ['pt', 'caso'],
];

/** Ends the reach of a condition: "If you applied, thank you, but we could not process it". */
export const contrastWord: PhraseTable = [
  ['en', 'but|however'],
  ['de', 'aber'],
  ['fr', 'mais'],
  ['es', 'pero'],
  ['it', 'ma'],
  ['nl', 'maar'],
  ['pt', 'mas'],
];

/** The user has to confirm before the site keeps what was entered. */
export const unfinishedSubmission: PhraseTable = [
  [
    'en',
    '(?:check|review|confirm) your (?:answers|details|information|application|order|booking|data|entries|submission)|almost (?:done|there|finished)|one (?:more|last) step|(?:saved )?as a draft|not yet (?:sent|submitted|complete)|before (?:you )?(?:submit|send)',
  ],
  [
    'de',
    'angaben (?:prufen|uberprufen)|(?:prufen|uberprufen|bestatigen) sie (?:ihre|ihr|die)|fast (?:fertig|geschafft)|als entwurf|noch nicht (?:gesendet|abgeschickt|ubermittelt)',
  ],
  ['fr', 'verifiez (?:vos|votre|les)|confirmez (?:vos|votre|la)|presque (?:termine|fini)|brouillon|derniere etape'],
  ['es', 'revise (?:sus|su|los)|confirme (?:sus|su|los)|casi (?:listo|terminado)|borrador|ultimo paso'],
  [
    'it',
    'controll[ai] (?:i tuoi|le tue|i suoi|i) dati|conferma (?:i|il|la|l)|quasi (?:finito|fatto)|bozza|ultimo passo',
  ],
  ['nl', 'controleer (?:uw|je)|bevestig (?:uw|je)|bijna klaar|concept|laatste stap'],
  ['pt', 'verifique (?:os|seus|as)|confirme (?:os|seus|as)|quase (?:pronto|terminado)|rascunho|ultimo passo'],
];

/** The confirmation comes by e-mail. */
export const emailConfirmation: PhraseTable = [
  [
    'en',
    '(?:confirm|verify|activate|complete|validate|finish)\\w*\\b.{0,60}\\be-?mail|e-?mail\\b.{0,80}\\b(?:to (?:confirm|verify|activate|complete|validate|finish)|confirmation link|activation link|verification link)|check your (?:inbox|e-?mail)',
  ],
  [
    'de',
    '(?:bestatig|aktivier|abschlie)\\w*\\b.{0,60}\\be-?mail|e-?mail\\b.{0,80}\\b(?:bestatig|aktivier|abschlie)\\w*|posteingang',
  ],
  [
    'fr',
    '(?:confirm|activ|valid)\\w*\\b.{0,60}\\b(?:e-?mail|courriel)|(?:e-?mail|courriel)\\b.{0,80}\\b(?:confirm|activ|valid)\\w*',
  ],
  ['es', '(?:confirm|activ|verific)\\w*\\b.{0,60}\\bcorreo|correo\\b.{0,80}\\b(?:confirm|activ|verific)\\w*'],
  ['it', '(?:conferm|attiv|verific)\\w*\\b.{0,60}\\be-?mail|e-?mail\\b.{0,80}\\b(?:conferm|attiv|verific)\\w*'],
  ['nl', '(?:bevestig|activeer|voltooi)\\w*\\b.{0,60}\\be-?mail|e-?mail\\b.{0,80}\\b(?:bevestig|activer|voltooi)\\w*'],
  ['pt', '(?:confirm|ativ|verific)\\w*\\b.{0,60}\\be-?mail|e-?mail\\b.{0,80}\\b(?:confirm|ativ|verific)\\w*'],
];
