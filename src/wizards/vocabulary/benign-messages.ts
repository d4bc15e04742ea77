import type { PhraseTable } from '../../platform/text/phrase-table.ts';

/** Starts of sentences in alert boxes that report no problem. */
export const benignMessage: PhraseTable = [
  [
    'en',
    "thank(?:s| you)|success|congratulations|(?:this|that) is (?:only|just) an? (?:estimate|example)|report an? (?:problem|error|issue|bug)(?: (?:with|on) this page)?$|you'?re all set|all (?:done|set)",
  ],
  [
    'en',
    '(?:[a-z]+ ){1,4}(?:has|have|was|were)(?: been)?(?: now)?(?: successfully)? (?:saved|sent|submitted|received|recorded|updated|completed|calculated)',
  ],
  ['en', 'we(?: have|.ve)? received your|(?:saved|sent|done|completed?)(?=[.!]?$)'],
  ['de', 'vielen dank|danke|gespeichert'],
  ['fr', 'merci|enregistre'],
  ['es', 'gracias|guardado'],
  ['it', 'grazie|salvato'],
  ['nl', 'bedankt|dank u|opgeslagen'],
  ['pt', 'obrigad[oa]|salvo'],
];

/** The link to report a problem with the page, which names a problem without having one. */
export const reportLink: PhraseTable = [['en', 'report']];

/** Prefixes of an error message that say nothing about the error. */
export const errorPrefix: PhraseTable = [['en', 'error|there is a problem']];
