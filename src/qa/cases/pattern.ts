/**
 * A text that an HTML `pattern` accepts. It understands what patterns of forms are made of: classes, escapes, groups,
 * alternatives and quantifiers. Whatever it makes is tried against the pattern itself, so a guess is never handed on.
 */
export function sampleOf(pattern: string, wishes: readonly string[] = []): string | undefined {
  const rule = compile(pattern);
  if (!rule) return undefined;
  const known = [...wishes, ...strong].find((wish) => rule.test(wish));
  if (known !== undefined) return known;
  for (const extra of [0, 1, 2, 4, 8]) {
    const made = sampleSequence({ text: pattern.replace(/^\^|\$$/g, ''), at: 0, extra });
    if (rule.test(made)) return made;
  }
  return undefined;
}

/** For patterns that only look ahead, as those of passwords do. */
const strong = ['Assay-Test-2030', 'AssayTest2030', 'assay2030'];

/** A text close to an accepted one that the pattern refuses. */
export function violationOf(pattern: string, accepted: string): string | undefined {
  const rule = compile(pattern);
  if (!rule) return undefined;
  const tries = [
    accepted.slice(0, -1),
    `${accepted}!`,
    accepted.replace(/\d/, 'x'),
    `~${accepted}`,
    '~~~',
    '<>',
    accepted.padEnd(300, 'x'),
  ];
  return tries.find((text) => text !== '' && text.trim() === text && !rule.test(text));
}

function compile(pattern: string): RegExp | undefined {
  for (const flags of ['v', 'u'])
    try {
      return new RegExp(`^(?:${pattern})$`, flags);
    } catch {
      // The next dialect may know it.
    }
  return undefined;
}

interface Reader {
  text: string;
  at: number;
  /** How often more than its minimum an open quantifier repeats. */
  extra: number;
}

/** Reads up to the end or a closing bracket; of several alternatives it takes the first. */
function sampleSequence(reader: Reader): string {
  let made = '';
  let first: string | undefined;
  while (reader.at < reader.text.length && reader.text[reader.at] !== ')') {
    if (reader.text[reader.at] === '|') {
      first ??= made;
      made = '';
      reader.at++;
      continue;
    }
    const from = reader.at;
    const piece = sampleAtom(reader);
    const after = reader.at;
    const times = readQuantifier(reader);
    made += piece;
    // Each repetition is read anew, so that a class gives different characters.
    const end = reader.at;
    for (let i = 1; i < times; i++) {
      reader.at = from;
      made += sampleAtom(reader);
    }
    if (times === 0) made = made.slice(0, made.length - piece.length);
    reader.at = Math.max(end, after);
  }
  return first ?? made;
}

function sampleAtom(reader: Reader): string {
  const character = reader.text[reader.at++];
  if (character === '(') return sampleGroup(reader);
  if (character === '[') return sampleClass(reader);
  if (character === '\\') return sampleEscape(reader.text[reader.at++] ?? '');
  if (character === '.') return 'a';
  if (character === '^' || character === '$') return '';
  return character ?? '';
}

function sampleGroup(reader: Reader): string {
  const special = /^\?(?::|=|!|<=|<!|<[^>]+>)/.exec(reader.text.slice(reader.at))?.[0] ?? '';
  reader.at += special.length;
  const made = sampleSequence(reader);
  reader.at++;
  return /[=!]$/.test(special) ? '' : made;
}

const escapes: Record<string, string> = { d: '5', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', b: '', n: '\n', t: '\t' };

function sampleEscape(letter: string): string {
  return escapes[letter] ?? letter;
}

const usual = [...'aB5k7m2xTn', ...'-_ .@+#!'];

function sampleClass(reader: Reader): string {
  let end = reader.at;
  while (end < reader.text.length && reader.text[end] !== ']') end += reader.text[end] === '\\' ? 2 : 1;
  const source = reader.text.slice(reader.at, end);
  reader.at = end + 1;
  try {
    const one = new RegExp(`^[${source}]$`, 'u');
    return usual.find((character) => one.test(character)) ?? firstOf(one);
  } catch {
    return 'a';
  }
}

function firstOf(one: RegExp): string {
  for (let code = 0x21; code < 0x250; code++) {
    const character = String.fromCodePoint(code);
    if (one.test(character)) return character;
  }
  return 'a';
}

function readQuantifier(reader: Reader): number {
  const found = /^(?:[?*+]|\{(\d+)(,?)(\d*)\})\??/.exec(reader.text.slice(reader.at));
  if (!found) return 1;
  reader.at += found[0].length;
  const [sign, least, comma, most] = found;
  if (least === undefined) return { '?': 0, '*': reader.extra, '+': 1 + reader.extra }[sign[0] ?? ''] ?? 1;
  const open = comma && !most ? Number.POSITIVE_INFINITY : Number(most || least);
  return Math.min(Number(least) + reader.extra, open);
}
