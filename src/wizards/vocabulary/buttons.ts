import type { PhraseTable } from '../../platform/text/phrase-table.ts';

/** Names of the button that leads to the next page of a form. */
export const continueButtonName: PhraseTable = [
  ['en', '^(save (and|&) )?(continue|next|proceed|go on)\\b'],
  ['de', '^(save (and|&) )?weiter\\b'],
  ['fr', '^(save (and|&) )?suivant\\b'],
  ['es', '^(save (and|&) )?siguiente\\b'],
  ['en', '^(submit|calculate|estimate|see|show|view|get|send|finish|done|apply|check|compute|start)\\b'],
  ['en', 'continue$'],
];

/** Names of buttons that lead elsewhere. */
export const otherButtonName: PhraseTable = [
  ['en', 'back|previous|cancel|reset|clear|log ?in|sign ?in|search|help|add|remove|delete|close|menu|save for later'],
];

/** Names that lead on although they contain a word of `otherButtonName`. */
export const certainContinueName: PhraseTable = [['en', '^(save (and|&) )?continue']];

/** Names of the button that opens a new row of a list: "Add a loan". */
export const addRowButtonName: PhraseTable = [
  ['*', '^\\+'],
  ['en', '\\b(?:add|another|new|insert)\\b'],
];

/** The words of such a name that do not say what is added. */
export const addRowFillWord: PhraseTable = [
  ['*', '^\\+\\s*'],
  ['en', '\\b(?:add|another|new|insert|an?)\\b\\s*'],
];

/** Names of the button that saves a row. */
export const saveRowButtonName: PhraseTable = [['en', '^(?:save|add|done|ok|keep|apply|update|insert|confirm)\\b']];
