import type { PhraseTable } from '../../platform/text/phrase-table.ts';

/** Starts of lines by which a page says that it is not done yet. */
export const waiting: PhraseTable = [
  ['en', 'calculating|computing|loading|processing|updating|working|please wait|one moment|just a moment'],
  ['de', 'wird (?:berechnet|geladen)|bitte warten'],
  ['fr', 'chargement|calcul en cours|veuillez patienter'],
  ['es', 'cargando|calculando'],
  ['it', 'caricamento|calcolo|attendere'],
  ['nl', 'laden|bezig|berekenen'],
  ['pt', 'carregando|aguarde'],
];

/** What follows those words when they speak of something else: "Processing time: 4 to 6 weeks". */
export const notWaiting: PhraseTable = [
  ['en', '(?:times?|fees?|periods?|costs?|charges?|dates?|days?|hours?|offices?)\\b'],
];

/** Whole lines by which a page without results says that it is still working. */
export const stillWorking: PhraseTable = [
  ['en', "^(?:we(?:['’]re| are) )?(?:now |still )?\\p{L}+ing\\b[^.:…]{0,60}(?:…|\\.\\.\\.)$"],
  ['en', '\\bplease wait\\b'],
  ['de', '\\bbitte warten\\b'],
  [
    'en',
    "^we(?:['’]re| are) (?:now |still )?(?:preparing|processing|calculating|checking|loading|getting|creating|generating|submitting|sending)\\b",
  ],
];

/** What stands on a page until a value is there. */
export const loadingValue: PhraseTable = [
  ['en', '(?:loading|calculating|please wait)\\b.{0,5}'],
  ['de', 'wird (?:geladen|berechnet)\\b.{0,5}'],
  ['*', '…|\\.{3,}'],
];

/** Terms before the status of a submission, in a list of terms. */
export const statusTerm: PhraseTable = [['en', '(?:application |submission |claim |request )?status']];
