import type { PhraseTable } from '../../platform/text/phrase-table.ts';

/** Labels of questions about personal data, by topic. In doubt a label is listed: redaction costs little. */
export const personalLabels: Readonly<Record<string, PhraseTable>> = {
  identity: [
    [
      'en',
      'names?\\b|\\bbirth|\\bborn\\b|\\bdob\\b|signature|gender|\\bsex\\b|sexual|orientation\\b|ethnic|\\brace\\b|\\btribe|religio|\\bfaith\\b|\\bmaiden\\b',
    ],
  ],
  // A state is shared by millions, so it is no personal data.
  contactAndOrigin: [
    [
      'en',
      '\\be-?mail|phone|mobile\\b|\\bfax\\b|\\baddress|\\bstreet\\b|\\bcity\\b|\\btown\\b|\\bzip\\b|post(?:al)?.?code|(?<!\\bstate of (?:legal |permanent )?)residen(?:t|ce|cy)|\\breside[sd]?\\b|\\blive\\b|citizen|national(?:ity|\\b)|immigra|\\balien\\b|\\bvisa\\b|country of',
    ],
  ],
  // "A-Number", "Medicaid ID", "Claim No.", "Bank account".
  identifiers: [
    [
      'en',
      '\\bssn\\b|social.?security|passport|licen[cs]e|\\bcvv\\b|\\biban\\b|\\bitin\\b|\\bein\\b|tax(?:payer)?.?id\\b|password|\\bpin\\b|\\b(?:number|id|acc(?:oun|)t|nr|no\\.)[\\s*:?()]*$|#[\\s*:]*$|\\b(?:account|card|routing|case|claim|policy|member|medicare|medicaid|file|reference|registration|certificate|permit|plate|alien)\\b.*\\bn(?:umber|o|r)\\b|\\bbank\\b|\\brouting\\b',
    ],
  ],
  finances: [
    [
      'en',
      'incomes?\\b|salary|\\bwages?\\b|\\bearn(?:s|ed|ings?)?\\b|earnings?\\b|take.?home|\\bpay ?(?:check|slip|stub|rate)|\\b(?:gross|net|base|hourly|weekly|monthly|annual|yearly) pay\\b|\\bpension|\\bassets?\\b|\\bbalance\\b|savings\\b|child.?support|alimony|\\brent\\b|mortgage|\\bdebts?\\b|\\bowe[ds]?\\b|net.?worth|\\bagi\\b|adjusted.?gross|credit.?score|how much\\b.*\\b(?:make|made|paid|pay|get|receive|own|have|save|saved|worth|spend|spent)\\b',
    ],
  ],
  health: [
    [
      'en',
      'health|medical|medic(?:ine|ation)|prescription|illness|disease|\\bhiv\\b|\\baids\\b|diagnos|disab(?:ilit|led)|pregnan|symptom|vaccin|allerg|\\bmental\\b|psychiatr|addict|\\bdrugs?\\b|alcohol|tobacco|smok(?:e|ing)|cancer\\b|diabet|\\bweight\\b|\\bblood\\b',
    ],
  ],
  recordAndBeliefs: [['en', 'convict|felon|criminal|\\barrest|political|\\bunion member']],
};

/** Labels that are nothing but the role of a person, and so ask for the name: "Claimant", "Your spouse". */
export const roleLabel: PhraseTable = [
  [
    'en',
    '^(?:(?:the|your|first|second|primary|other|legal|full|co)[\\s-]+)*(?:claimant|applicant|spouse|wife|husband|partner|beneficiary|dependent|guardian|custodian|patient|payee|holder|policy ?holder|account ?holder|card ?holder|insured|tenant|landlord|petitioner|plaintiff|defendant|sponsor|borrower|co-?signer|guarantor|representative|attorney|physician|doctor|witness|heir|next of kin|emergency contact|contact person|mother|father|parent|child|son|daughter|employee|employer|author|owner)s?(?:[\\s#-]*\\d+)?[\\s*:?]*$',
  ],
];

/** Words before a number that make it a limit of the site: "Between 3 and 20" tells no birthday. */
export const limitWord: PhraseTable = [
  ['en', 'between|and|or|least|most|than|to|from|maximum|minimum|max|min|of|page|step'],
];

/** Words before the last digits of an account or document number. */
export const lastDigitsWord: PhraseTable = [
  ['en', 'ending|ends|last four|last 4|final four|ssn|security|account|acct|card|phone'],
];
