/** Limit of a sample, because a pattern may ask for any length. */
export const LONGEST_SAMPLE = 1000;

/** Limit of atoms: nested groups multiply. */
const MOST_PIECES = 3000;

interface PatternReader {
  text: string;
  at: number;
  /** Repetitions of an open quantifier beyond its minimum. */
  extra: number;
  /** Further repetitions for the first quantifier that allows them. */
  spare: number;
  pieces: number;
  /** A character for each class. */
  classes: Map<string, string>;
}

/**
 * A text made after an HTML `pattern`. It understands what patterns of forms are made of: classes, escapes, groups,
 * alternatives and quantifiers. What it makes need not fit, and ends where it becomes too much.
 */
export function generateSample(pattern: string, { extra, spare }: Pick<PatternReader, 'extra' | 'spare'>): string {
  const text = pattern.replace(/^\^|\$$/g, '');
  return sampleSequence({ text, at: 0, extra, spare, pieces: 0, classes: new Map() }).slice(0, LONGEST_SAMPLE + 1);
}

/** Reads to the end or a closing bracket; takes the first alternative. */
function sampleSequence(reader: PatternReader): string {
  let made = '';
  let first: { made: string; spare: number } | undefined;
  while (reader.at < reader.text.length && reader.text[reader.at] !== ')') {
    if (reader.text[reader.at] === '|') {
      first ??= { made, spare: reader.spare };
      made = '';
      reader.at++;
      continue;
    }
    made += sampleRepeated(reader, made.length);
  }
  if (!first) return made;
  reader.spare = first.spare;
  return first.made;
}

function sampleRepeated(reader: PatternReader, before: number): string {
  const from = reader.at;
  const { spare } = reader;
  let made = sampleAtom(reader);
  const times = readQuantifier(reader);
  if (times === 0) {
    reader.spare = spare;
    return '';
  }
  const end = reader.at;
  for (let i = 1; i < times && !isTooMuch(reader, before + made.length); i++) {
    reader.at = from;
    made += sampleAtom(reader);
  }
  reader.at = end;
  return made;
}

function isTooMuch({ pieces }: PatternReader, length: number): boolean {
  return pieces > MOST_PIECES || length > LONGEST_SAMPLE;
}

function sampleAtom(reader: PatternReader): string {
  reader.pieces++;
  const character = reader.text[reader.at++];
  if (character === '(') return sampleGroup(reader);
  if (character === '[') return sampleClass(reader);
  if (character === '\\') return sampleEscape(reader.text[reader.at++] ?? '');
  if (character === '.') return 'a';
  if (character === '^' || character === '$') return '';
  return character ?? '';
}

function sampleGroup(reader: PatternReader): string {
  const special = /^\?(?::|=|!|<=|<!|<[^>]+>)/.exec(reader.text.slice(reader.at, reader.at + 100))?.[0] ?? '';
  reader.at += special.length;
  const { spare } = reader;
  const made = sampleSequence(reader);
  reader.at++;
  if (!/[=!]$/.test(special)) return made;
  // A lookaround has no characters.
  reader.spare = spare;
  return '';
}

const escapes: Record<string, string> = { d: '5', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', b: '', n: '\n', t: '\t' };

function sampleEscape(letter: string): string {
  return escapes[letter] ?? letter;
}

const usualCharacters = [...'aB5k7m2xTn', ...'-_ .@+#!'];

function sampleClass(reader: PatternReader): string {
  let end = reader.at;
  while (end < reader.text.length && reader.text[end] !== ']') end += reader.text[end] === '\\' ? 2 : 1;
  const source = reader.text.slice(reader.at, end);
  reader.at = end + 1;
  const one = reader.classes.get(source) ?? characterInClass(source);
  reader.classes.set(source, one);
  return one;
}

function characterInClass(source: string): string {
  try {
    const one = new RegExp(`^[${source}]$`, 'u');
    return usualCharacters.find((character) => one.test(character)) ?? firstMatch(one);
  } catch {
    return 'a';
  }
}

function firstMatch(one: RegExp): string {
  for (let code = 0x21; code < 0x250; code++) {
    const character = String.fromCodePoint(code);
    if (one.test(character)) return character;
  }
  return 'a';
}

function readQuantifier(reader: PatternReader): number {
  const found = /^(?:[?*+]|\{(\d+)(,?)(\d*)\})\??/.exec(reader.text.slice(reader.at, reader.at + 50));
  if (!found) return 1;
  reader.at += found[0].length;
  const [sign, least, comma, most] = found;
  if (least === undefined)
    return repetitions(reader, sign[0] === '+' ? 1 : 0, sign[0] === '?' ? 1 : Number.POSITIVE_INFINITY);
  return repetitions(reader, Number(least), comma && !most ? Number.POSITIVE_INFINITY : Number(most || least));
}

function repetitions(reader: PatternReader, least: number, most: number): number {
  // An optional atom is left out unless more characters are needed.
  const usualTimes = most === 1 && least === 0 ? 0 : Math.min(least + reader.extra, most);
  const more = Math.min(most - usualTimes, reader.spare);
  reader.spare -= more;
  return usualTimes + more;
}
