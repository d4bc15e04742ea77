/** Words that answer one question, with a column per language; `any` holds symbols and words that no language owns. */
export type Vocabulary = Readonly<Partial<Record<'any' | 'en' | 'de' | 'fr' | 'es', RegExp>>>;

/** The columns of a vocabulary as one alternation, for a larger pattern. */
export function anyWordOf(vocabulary: Vocabulary): string {
  return Object.values(vocabulary)
    .map(({ source }) => source)
    .join('|');
}

/** Matches a text that holds one of the words as a whole word. */
export function vocabularyPattern(vocabulary: Vocabulary): RegExp {
  return unicodePattern(`\\b(${anyWordOf(vocabulary)})\\b`);
}

/** Matches a text that holds a word which starts with one of these. */
export function wordStartPattern(vocabulary: Vocabulary): RegExp {
  return unicodePattern(`\\b(${anyWordOf(vocabulary)})\\w*`);
}

/** Matches a text that is one of the words and nothing else. */
export function wholeTextPattern(vocabulary: Vocabulary): RegExp {
  return unicodePattern(`^(${anyWordOf(vocabulary)})$`);
}

/** Compiles a pattern in which `\b` and `\w` know the letters of every script, such as Ä. */
export function unicodePattern(source: string): RegExp {
  const letter = String.raw`[\p{L}\p{N}]`;
  const edge = `(?:(?<=${letter})(?!${letter})|(?<!${letter})(?=${letter}))`;
  return new RegExp(source.replaceAll(String.raw`\b`, edge).replaceAll(String.raw`\w`, letter), 'iu');
}
