import { runWithTimeLimit } from '../../../platform/text/pattern-time-limit.ts';
import { generateSample, LONGEST_SAMPLE } from './pattern-sample.ts';
import { filledLength, tokenExpansions } from './unique-token.ts';

/** Length limits of a text. */
export interface LengthRange {
  least: number;
  most: number;
}

const LONGEST_PATTERN = 2000;

/**
 * A text that an HTML `pattern` accepts, of a length that the field takes. Whatever is made is tried against the pattern
 * itself, so a guess is never handed on. Undefined where none was found, or where the pattern does not come to an end.
 */
export function sampleForPattern(
  pattern: string,
  candidates: readonly string[] = [],
  { least, most }: LengthRange = { least: 0, most: LONGEST_SAMPLE },
): string | undefined {
  const fits = (text: string) => filledLength(text) >= least && filledLength(text) <= most;
  return firstAccepted(pattern, function* () {
    for (const proposed of [...candidates, ...strongPasswords]) if (fits(proposed)) yield proposed;
    for (const made of generateSamples(pattern, least)) if (fits(made)) yield made;
    // Values of the wrong length are cut or padded.
    for (const proposed of [...candidates, ...strongPasswords])
      for (const text of resized(proposed, least, most)) if (fits(text)) yield text;
  });
}

/** For patterns of passwords, which consist of lookaheads. */
const strongPasswords = ['Assay-Test-2030', 'AssayTest2030', 'assay2030'];

/** Samples with minimal repetitions, then with more, then as many as the length needs. */
function* generateSamples(pattern: string, least: number): Generator<string> {
  for (const extra of [0, 1, 2, 4, 8]) {
    const made = generateSample(pattern, { extra, spare: 0 });
    yield made;
    const missing = Math.min(least, LONGEST_SAMPLE) - made.length;
    // A repeated group may have several characters.
    for (const size of missing > 0 ? [1, 2, 3, 4, 5] : [])
      yield generateSample(pattern, { extra, spare: Math.ceil(missing / size) });
  }
}

function resized(text: string, least: number, most: number): string[] {
  if (text.includes('{{')) return [];
  if (text.length > most) return [text.slice(0, most)];
  return ['x', '5', 'X', text.at(-1) ?? 'x'].map((sign) => text.padEnd(Math.min(least, LONGEST_SAMPLE), sign));
}

/** A text close to an accepted one that violates the pattern, within the length limits. */
export function violatePattern(
  pattern: string,
  accepted: string,
  { least, most }: LengthRange = { least: 0, most: LONGEST_SAMPLE },
): string | undefined {
  const tries = [
    accepted.slice(0, -1),
    `${accepted}!`,
    accepted.replace(/\d/, 'x'),
    `~${accepted}`,
    `~${accepted.slice(1)}`,
    '~~~',
    '<>',
    '~'.repeat(Math.min(least, LONGEST_SAMPLE)),
    accepted.padEnd(300, 'x'),
  ].filter((text) => text !== '' && text.trim() === text && text.length >= least && text.length <= most);
  return withCompiledPattern(pattern, (accepts) => tries.find((text) => !accepts(text)));
}

function firstAccepted(pattern: string, candidates: () => Iterable<string>): string | undefined {
  return withCompiledPattern(pattern, (accepts) => {
    for (const candidate of candidates()) if (tokenExpansions(candidate).every(accepts)) return candidate;
    return undefined;
  });
}

/** The pattern comes from the site and may run for ever: then the result is undefined. */
function withCompiledPattern<Result>(
  pattern: string,
  work: (accepts: (text: string) => boolean) => Result,
): Result | undefined {
  const rule = pattern.length <= LONGEST_PATTERN ? compile(pattern) : undefined;
  return rule && runWithTimeLimit(() => work((text) => rule.test(text)))?.value;
}

function compile(pattern: string): RegExp | undefined {
  for (const flags of ['v', 'u'])
    try {
      const rule = new RegExp(`^(?:${pattern})$`, flags);
      // A pattern that is too large fails only when it is used.
      return runWithTimeLimit(() => rule.test('')) && rule;
    } catch {
      // The next dialect may accept it.
    }
  return undefined;
}
