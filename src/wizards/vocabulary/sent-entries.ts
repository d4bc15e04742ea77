import { type PhraseTable, phrasesOf } from '../../platform/text/phrase-table.ts';

/** How the scripts of pages name and write the entries that they send. Each pattern matches a whole text. */

/** A checkbox is on. */
const yesEntry: PhraseTable = [
  ['en', 'yes|y|checked'],
  ['*', 'true|on|1'],
];

/** A checkbox is off. An empty text says so too. */
const noEntry: PhraseTable = [
  ['en', 'no|n'],
  ['*', 'false|off|0|'],
];

/** Names that analytics scripts also use for their own data. */
const commonEntryName: PhraseTable = [
  ['en', 'name|type|id|value|title|label|event|action|category|status|state|date|time|key|code|page|step|url|source'],
  ['en', 'lang|language|message|data|text|user|method|query|q|version'],
];

/** The tables as sources of regular expressions, which can be sent to a page. */
export const entryWords = {
  yes: `^(?:${phrasesOf(yesEntry)})$`,
  no: `^(?:${phrasesOf(noEntry)})$`,
  commonName: `^(?:${phrasesOf(commonEntryName)})$`,
};
