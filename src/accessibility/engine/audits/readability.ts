import { syllable } from 'syllable';

/** Reading grades of English text. CWAC counts syllables with CMUdict, so its grades may differ by a few tenths. */
export interface ReadingGrades {
  sentences: number;
  words: number;
  wordsPerSentence: number;
  syllablesPerWord: number;
  fleschKincaid: number;
  smog: number;
}

const sentenceSplitter = new Intl.Segmenter('en', { granularity: 'sentence' });
const wordSplitter = new Intl.Segmenter('en', { granularity: 'word' });

export function gradeReadability(blocks: readonly string[]): ReadingGrades | undefined {
  const sentences = blocks.flatMap((block) =>
    Array.from(sentenceSplitter.segment(block), ({ segment }) => splitWords(segment)),
  );
  const wordySentences = sentences.filter((words) => words.length > 0);
  const syllables = wordySentences.flat().map((word) => Math.max(1, syllable(word)));
  if (syllables.length === 0) return undefined;
  const wordsPerSentence = syllables.length / wordySentences.length;
  const syllablesPerWord = syllables.reduce((sum, count) => sum + count, 0) / syllables.length;
  const long = syllables.filter((count) => count >= 3).length;
  return {
    sentences: wordySentences.length,
    words: syllables.length,
    wordsPerSentence: roundToThousandths(wordsPerSentence),
    syllablesPerWord: roundToThousandths(syllablesPerWord),
    fleschKincaid: roundToThousandths(0.39 * wordsPerSentence + 11.8 * syllablesPerWord - 15.59),
    smog: roundToThousandths(1.043 * Math.sqrt((long * 30) / wordySentences.length) + 3.1291),
  };
}

function splitWords(sentence: string): string[] {
  return Array.from(wordSplitter.segment(sentence)).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

function roundToThousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
