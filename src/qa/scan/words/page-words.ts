import { anyWordOf } from '../../vocabulary.ts';

/** `Step 1 of 3`: the first group is the number of the step, the second the number of steps. */
export const stepCount = new RegExp(
  `\\b(?:${anyWordOf({ en: /step/, de: /schritt/, fr: /[eé]tape/, es: /paso/ })})\\s+(\\d+)\\s+` +
    `(?:${anyWordOf({ en: /of/, de: /von/, fr: /sur/, es: /de/, any: /\// })})\\s*(\\d+)`,
  'i',
);

/** The start of the name of a button that adds entries to a list. */
export const moreEntriesButton = new RegExp(
  `^(?:${anyWordOf({ en: /(?:load|show|see|view) (?:more|older)/ })})\\b`,
  'i',
);

/** A page that asks whether its visitor is a person. */
export const robotCheck = new RegExp(
  anyWordOf({ en: /verify(ing)? (that )?you are (a )?human|are you a robot|unusual traffic/ }),
  'i',
);

/** Names of hidden fields that are filled in only by bots. */
export const honeypotName = new RegExp(
  `\\b(${anyWordOf({ any: /honey|hp|trap|website|url/, en: /leave (this )?empty|do not fill/ })})\\b`,
  'i',
);
