import type { PhraseTable } from '../../platform/text/phrase-table.ts';

/** Words that stand for a value in user data. */

type WordLists = Readonly<Record<'en', readonly string[]>>;

/** The numbers from zero to nineteen, in order. */
export const smallNumberWords: WordLists = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  ),
};

/** The tens from twenty, in order. */
export const tensWords: WordLists = { en: 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ') };

export const numberScales: Readonly<Record<string, number>> = {
  k: 1_000,
  thousand: 1_000,
  m: 1_000_000,
  mio: 1_000_000,
  million: 1_000_000,
};

export const yesWords: WordLists = { en: ['yes', 'y', 'on', 'checked'] };
export const noWords: WordLists = { en: ['no', 'n', 'off', 'unchecked'] };

/** What follows the number of a day: "29th", "1er", "1º". */
export const ordinalSuffix: PhraseTable = [
  ['en', 'st|nd|rd|th'],
  ['fr', 'er'],
  ['nl', 'e'],
  ['*', '[ºª°o]'],
];

/** Words between the parts of a date: "29th of February". */
export const dateConnector: PhraseTable = [
  ['en', 'of|the|on'],
  ['de', 'den?r?'],
  ['fr', 'le|du'],
  ['es', 'de|del|el'],
  ['it', 'il'],
  ['pt', 'de|do'],
];

/** Words before the name of a state: "State of Illinois". */
export const statePrefix: PhraseTable = [['en', '(?:the )?(?:state|commonwealth) of ']];

const stateTable =
  'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming,AS American Samoa,GU Guam,MP Northern Mariana Islands,PR Puerto Rico,VI U.S. Virgin Islands,FM Federated States of Micronesia,MH Marshall Islands,PW Palau,AA Armed Forces Americas,AE Armed Forces Europe,AP Armed Forces Pacific';

/** The states and territories of the United States, with the codes of the postal service. */
export const states: readonly { code: string; name: string }[] = stateTable
  .split(',')
  .map((row) => ({ code: row.slice(0, 2), name: row.slice(3) }));
