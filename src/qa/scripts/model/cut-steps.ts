import { isDeepStrictEqual } from 'node:util';
import { readCutText } from '../../../platform/text/untrusted-text.ts';

export interface CutSteps {
  problem: string;
  /** The first stored step that is missing or cut. */
  offset: number;
  onPurpose: string;
}

/** What a reply has left out of the stored steps, when these steps were taken from it; undefined when nothing is missing. */
export function findCutSteps(given: readonly unknown[], stored: readonly unknown[]): CutSteps | undefined {
  const texts = stored.map(textsOf);
  for (const [number, step] of given.entries())
    for (const text of textsOf(step)) {
      const cut = readCutText(text);
      const offset = cut ? texts.findIndex((all) => all.some((whole) => isBeginning(cut, whole))) : -1;
      if (offset < 0) continue;
      const problem = `A text of step ${number + 1} is cut: it ends with ${JSON.stringify(text.slice(-40))}.`;
      return { problem, offset, onPurpose: 'To write another text, leave out that ending.' };
    }
  const last = isUnfinished(given, stored)
    ? given.length - 1
    : stored.findLastIndex((step) => isDeepStrictEqual(step, given.at(-1)));
  const missing = stored.slice(last + 1);
  if (last < 0 || missing.length === 0) return undefined;
  const problem = `The script has ${stored.length} steps, and these end with its step ${last + 1}, as a cut reply does.`;
  return { problem, offset: last + 1, onPurpose: 'To end the script there on purpose, add another expectation.' };
}

function isBeginning({ beginning, length }: { beginning: string; length: number }, whole: string): boolean {
  return whole.length === length && whole.startsWith(beginning);
}

/** Whether steps that repeat are the first of the stored ones, not the last. */
function isUnfinished(given: readonly unknown[], stored: readonly unknown[]): boolean {
  const equal = (from: number) => given.filter((step, at) => isDeepStrictEqual(step, stored[from + at])).length;
  const missing = stored.length - given.length;
  return missing > 0 && isDeepStrictEqual(given.at(-1), stored[given.length - 1]) && equal(0) > equal(missing);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
