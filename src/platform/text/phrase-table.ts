type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt';

/** Patterns in the syntax of regular expressions, by language; `*` holds in every language. */
export type PhraseTable = readonly (readonly [language: Language | '*', pattern: string])[];

/** The patterns of all languages as one source, to be put between parentheses. */
export function phrasesOf(...tables: readonly PhraseTable[]): string {
  return tables
    .flat()
    .map(([, pattern]) => pattern)
    .join('|');
}
