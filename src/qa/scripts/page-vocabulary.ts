import { type PhraseTable, phrasesOf } from '../../platform/text/phrase-table.ts';

/** Words of a message that says that a submission succeeded. */
const successWords: PhraseTable = [
  ['en', 'thank|thanks|saved|success\\w*|updated|received|registered|created|sent|added'],
  ['de', 'gespeichert|danke'],
];

/** Words of a message that says that something is wrong. */
const errorWords: PhraseTable = [
  ['en', 'not|no|cannot|could|fail\\w*|error\\w*|invalid|wrong|must'],
  ['de', 'nicht'],
];

/** Words of a message that asks for other data. */
const correctionWords: PhraseTable = [
  ['en', 'please|required|missing|weak|short|long|least|incorrect|correct|already|taken|expired|choose|select'],
  ['de', 'bitte'],
];

/** Text of a cookie dialog. */
const cookieDialog: PhraseTable = [['en', 'cookie|consent']];

/** Names of the button that rejects cookies. */
const rejectCookies: PhraseTable = [['en', 'only necessary|necessary only|reject|decline|refuse|no,? thanks']];

/** Names of the button that accepts cookies. */
const acceptCookies: PhraseTable = [['en', 'accept|agree|allow|got it|ok\\b|i understand']];

/** Names of the button that leads to the next page of a form. */
const nextPage: PhraseTable = [
  [
    'en',
    'continue|next|proceed|submit|send|apply|confirm|review|place (the )?order|pay now|finish|complete|book|save|done|buy',
  ],
  ['de', 'weiter'],
];

/** Names of buttons that do not belong to the flow of a form. */
const otherButton: PhraseTable = [
  [
    'en',
    'search|find|filter|subscribe|newsletter|log ?out|sign ?out|cancel|back|delete|remove|voucher|coupon|language',
  ],
];

/** Links that are not opened in search of words. */
const excludedLink: PhraseTable = [
  ['en', 'log.?out|sign.?out|delete|remove|log.?in|sign.?(in|up)'],
  ['*', '\\.(pdf|csv|zip)\\b'],
];

/** Words that are too common to search for. */
const commonWord: PhraseTable = [
  ['en', 'search|find|home|page|welcome|with|your|from|this|that|skip|content|results?|about|more|here|have'],
];

/** The tables as patterns, by the question that they answer. */
export const pageVocabulary = {
  success: new RegExp(`\\b(${phrasesOf(successWords)})\\b`, 'i'),
  error: new RegExp(`\\b(${phrasesOf(errorWords)})\\b`, 'i'),
  correction: new RegExp(`\\b(${phrasesOf(correctionWords)})\\b`, 'i'),
  cookieDialog: new RegExp(phrasesOf(cookieDialog), 'i'),
  rejectCookies: new RegExp(`^(${phrasesOf(rejectCookies)})`, 'i'),
  acceptCookies: new RegExp(`^(${phrasesOf(acceptCookies)})`, 'i'),
  nextPage: new RegExp(`^(${phrasesOf(nextPage)})\\b`, 'i'),
  otherButton: new RegExp(phrasesOf(otherButton), 'i'),
  excludedLink: new RegExp(phrasesOf(excludedLink), 'i'),
  commonWord: new RegExp(`^(${phrasesOf(commonWord)})$`, 'i'),
};
