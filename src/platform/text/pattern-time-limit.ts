import { createContext, Script } from 'node:vm';

/**
 * Regular expressions of files and of sites. One that tries all ways to divide a text, such as `(a+)+`, takes longer than
 * anybody lives, and nothing else happens in the process meanwhile. So they run only here, where they are interrupted.
 */

/** Nothing that is meant for the answers of a form, or for the text of a page, takes as long. */
const LIMIT_MS = 200;
const ATTEMPTS = 3;
const script = new Script('work()');

/** What the work gives; undefined where it was interrupted. It must leave nothing behind half done. */
export function runWithTimeLimit<Result>(work: () => Result, limitMs = LIMIT_MS): { value: Result } | undefined {
  for (let attempt = 1; ; attempt++) {
    const before = process.threadCpuUsage();
    let done: { value: Result } | undefined;
    const once = () => {
      done = { value: work() };
    };
    try {
      script.runInContext(createContext({ work: once }), { timeout: limitMs });
      return done;
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
    // On a busy machine the time may have been that of others.
    const { user, system } = process.threadCpuUsage(before);
    if (attempt === ATTEMPTS || (user + system) / 1_000 > limitMs / 2) return undefined;
  }
}

/** It comes from the other context, so it is no Error of this one. */
function isInterruption(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

/** How often a piece of a text is repeated: an exponential pattern is lost in it, any other is through at once. */
const REPEATED = 60;
const MOST_PIECES = 150;

/** Whether a pattern gets lost in a short text that it does not accept. Not every such pattern is found. */
export function hasCatastrophicBacktracking(source: string): boolean {
  const groups = repeatedGroups(source);
  // Only what is repeated as a whole, and may be divided otherwise too, has so many ways.
  if (groups.length === 0) return false;
  // A group is tried by itself too, since it may be reached only behind a beginning that is hard to guess.
  const rules = [source, ...groups].flatMap((part) => compile(`^(?:${part})$`) ?? []);
  const texts = buildProbePieces(source).map((piece) => `${piece.repeat(REPEATED)}\n\u{1}`);
  return runWithTimeLimit(() => rules.forEach((rule) => void texts.some((text) => rule.test(text)))) === undefined;
}

const MOST_CATASTROPHIC = 3;

/** Those of several patterns that are not to be used. A site that has many of them wastes time: its others are not tried. */
export function findCatastrophicPatterns(sources: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const source of new Set(sources))
    if (found.size >= MOST_CATASTROPHIC || hasCatastrophicBacktracking(source)) found.add(source);
  return found;
}

function compile(source: string): RegExp | undefined {
  for (const flags of ['v', 'u'])
    try {
      return new RegExp(source, flags);
    } catch {
      // The next dialect may know it.
    }
  return undefined;
}

/** The groups that are followed by a quantifier, with it. */
function repeatedGroups(source: string): string[] {
  const opened: number[] = [];
  const groups: string[] = [];
  const bare = source.replaceAll(/\\[\s\S]/g, '\\\\');
  for (const [at, sign] of [...bare].entries()) {
    if (sign === '(') opened.push(at);
    if (sign !== ')') continue;
    const from = opened.pop() ?? 0;
    const quantifier = /^(?:[*+]|\{\d+,?\d*\})/.exec(source.slice(at + 1))?.[0];
    if (quantifier) groups.push(source.slice(from, at + 1) + quantifier);
  }
  return groups.slice(0, 20);
}

/** What the texts that a pattern is tried with are made of: its own signs and words, and one sign of each usual class. */
function buildProbePieces(source: string): string[] {
  const signs = [...new Set([...'a0A _-', ...source.replaceAll(/\\[a-zA-Z]|[\\^$*+?()[\]{}|]/g, '')])].slice(0, 30);
  const few = [...new Set([...signs.slice(6, 12), ...signs.slice(0, 4)])];
  const pairs = few.flatMap((one) => few.filter((other) => other !== one).map((other) => one + other));
  const words = source.match(/[\p{L}\p{N}]{3,12}/gu) ?? [];
  return [...signs, ...words, ...pairs].slice(0, MOST_PIECES);
}
