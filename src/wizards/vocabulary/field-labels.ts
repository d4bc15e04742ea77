import type { PhraseTable } from '../../platform/text/phrase-table.ts';

/** What the label of a field tells about the field. */

/** The field takes an amount of money. */
export const moneyLabel: PhraseTable = [
  [
    'en',
    'income|asset|amount|balance|salary|earning|wage|payment|price|\\bcost|child.?support|savings\\b|\\bagi\\b|worth|rent\\b',
  ],
];

/** The field asks for a state: "State of residence". */
export const stateLabel: PhraseTable = [['en', '\\bstate\\b']];

/** The word is no state of a country: "State your reason". */
export const notStateLabel: PhraseTable = [
  ['en', 'status|please state|\\bstate (?:your|the|why|how|what|any|all|if)\\b'],
];

/** The field is a search box of the site. */
export const searchLabel: PhraseTable = [['en', '^search\\b']];

/** Names that mean nothing without the question around them. */
export const shortLabel: PhraseTable = [
  ['en', 'yes|no|month|day|year|from|to|first|last|amount|other|date|number|value'],
];

/** A user who signs in is asked for the same. */
export const signInFieldName: PhraseTable = [['en', 'mail|user|log|pass|phone|code|pin|name|id\\b']];

/** "None of these apply": chosen alone. */
export const noneOption: PhraseTable = [
  ['en', '^none\\b|\\bnone of (?:these|the above|them)\\b|\\bnone (?:apply|applies)\\b'],
];

/** A checkbox by which the user agrees or declares, which is no choice of a question. */
export const agreementLabel: PhraseTable = [
  ['en', '^i\\b|\\b(?:certif|agree|consent|acknowledg|confirm|understand|accept|authori[sz]e|declare)'],
];

/** Starts of a question that do not belong to the name of its field: "What is your …". */
export const questionStart: PhraseTable = [
  ['en', '^(?:what|which|who) (?:is|are|was|were) (?:the |your |their )?'],
  ['en', '^(?:please )?(?:enter|select|choose|provide) (?:the |your |a |an )?'],
];

/** Marks in parentheses that do not make another question: "(optional)". */
export const requirementMark: PhraseTable = [['en', 'required|optional']];

/** What a number in parentheses counts down, which does not make another question: "(3 places left)". */
export const remainingCount: PhraseTable = [
  ['en', 'open|available|left|remaining|free|selected|places|seats|slots|offices'],
];

/** The field asks for a postal code, by its id. */
export const postalCodeFieldId: PhraseTable = [['en', 'zip|postcode']];

/** The part of a date that a label ends with: "Last year with earnings - Year". */
export const datePartLabel: PhraseTable = [['en', 'year|month|day']];

/** The word before a part of a date in a field id says how often, not when: `spent_per_month`. */
export const frequencyInFieldId: PhraseTable = [['en', 'per|each|every|an?']];

/** Words of a heading that do not say what it is about. */
export const headingStopWords: Readonly<Record<'en', readonly string[]>> = {
  en: 'a an the of and or to in on at for about you your yours my our us me please enter tell give more some'.split(
    ' ',
  ),
};

/**
 * Questions that are narrowed down step by step: the choices of a step depend on the answers to the steps before it.
 * Each row is one such sequence, from general to particular.
 */
export const narrowingSteps: readonly (readonly [language: 'en', steps: readonly string[]])[] = [
  [
    'en',
    [
      '\\bcountry\\b|\\bnation\\b',
      '\\b(?:state|province|region|territory|zip|postcode)\\b',
      '\\b(?:county|district|parish|borough|municipality)\\b',
      '\\b(?:city|town|village|community)\\b',
      '\\b(?:neighbou?rhood|ward|precinct|school|college|campus|office|branch|location|station|clinic|hospital)\\b',
    ],
  ],
  [
    'en',
    [
      '\\bvehicle year\\b|\\bmodel year\\b',
      '\\b(?:make|brand|manufacturer)\\b',
      '\\bmodel\\b',
      '\\b(?:trim|version)\\b',
    ],
  ],
  [
    'en',
    [
      '\\b(?:category|department|industry|sector|faculty)\\b',
      '\\bsub-?\\s?\\w+|\\b(?:program(?:me)?|major|special(?:i)?ty|course|service)\\b',
    ],
  ],
  ['en', ['\\b(?:date|day)\\b', '\\b(?:time|slot)\\b']],
];
