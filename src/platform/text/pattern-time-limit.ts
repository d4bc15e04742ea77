import { createContext, Script } from 'node:vm';

/**
 * Runs regular expressions that come from files and sites. A pattern with catastrophic backtracking, such as `(a+)+`, would
 * block the process, so these patterns run only here, with a time limit.
 */

/** No reasonable pattern for form values or page text takes this long. */
const LIMIT_MS = 200;
const ATTEMPTS = 3;
const script = new Script('work()');

/** Returns the result of `work`, or undefined at the time limit. `work` must have no side effects. */
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
    // On a busy machine other processes may have used the time.
    const { user, system } = process.threadCpuUsage(before);
    if (attempt === ATTEMPTS || (user + system) / 1_000 > limitMs / 2) return undefined;
  }
}

/** The error comes from another context, so `instanceof Error` is false. */
function isInterruption(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

/** Repetitions of a probe piece: enough for an exponential pattern to hit the time limit. */
const REPEATED = 60;
const MOST_PIECES = 150;

/** Tells whether a pattern needs too much time on a short text that it does not match. It does not find every such pattern. */
export function hasCatastrophicBacktracking(source: string): boolean {
  const groups = repeatedGroups(source);
  // Only a repeated group can be divided in exponentially many ways.
  if (groups.length === 0) return false;
  // Groups are also tried alone, because the text before them may be hard to guess.
  const rules = [source, ...groups].flatMap((part) => compile(`^(?:${part})$`) ?? []);
  const texts = buildProbePieces(source).map((piece) => `${piece.repeat(REPEATED)}\n\u{1}`);
  return runWithTimeLimit(() => rules.forEach((rule) => void texts.some((text) => rule.test(text)))) === undefined;
}

const MOST_CATASTROPHIC = 3;

/** Returns the patterns that must not be used. After a few of them, further patterns of the same site are rejected untried. */
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
      // The next dialect may accept it.
    }
  return undefined;
}

/** Returns the groups with a quantifier, including the quantifier. */
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

/** Returns pieces for probe texts: characters and words of the pattern, and one character of each common class. */
function buildProbePieces(source: string): string[] {
  const signs = [...new Set([...'a0A _-', ...source.replaceAll(/\\[a-zA-Z]|[\\^$*+?()[\]{}|]/g, '')])].slice(0, 30);
  const few = [...new Set([...signs.slice(6, 12), ...signs.slice(0, 4)])];
  const pairs = few.flatMap((one) => few.filter((other) => other !== one).map((other) => one + other));
  const words = source.match(/[\p{L}\p{N}]{3,12}/gu) ?? [];
  return [...signs, ...words, ...pairs].slice(0, MOST_PIECES);
}
