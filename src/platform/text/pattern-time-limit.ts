import { AsyncLocalStorage } from 'node:async_hooks';
import { createContext, Script } from 'node:vm';

/**
 * Runs regular expressions that come from files and sites. A pattern with catastrophic backtracking, such as `(a+)+`, would
 * block the process, so these patterns run only here, with a time limit.
 */

/** Processor time of one evaluation. No reasonable pattern for form values or page text takes this long. */
const LIMIT_MS = 50;
/** Processor time of all patterns of one message, file or page, which runs in one turn of the event loop. */
const TOTAL_MS = 80;
const ATTEMPTS = 3;
const script = new Script('work()');

interface PatternBudget {
  leftMs: number;
  /** Global object of the context that can be interrupted. Creating one takes longer than most patterns. */
  sandbox: { work?: () => void };
}

function createBudget(leftMs: number): PatternBudget {
  return { leftMs, sandbox: createContext({}) };
}

const budgets = new AsyncLocalStorage<PatternBudget>();

/** Runs `work` so that all its patterns together have one time limit; after it, `runWithTimeLimit` tries no further ones. */
export function withPatternBudget<Result>(work: () => Result): Result {
  return budgets.run(createBudget(TOTAL_MS), work);
}

/**
 * Returns the result of `work`, or undefined at the time limit. `work` must have no side effects. Without `withPatternBudget`
 * each call has a limit of its own.
 */
export function runWithTimeLimit<Result>(work: () => Result): { value: Result } | undefined {
  const budget = budgets.getStore() ?? createBudget(LIMIT_MS);
  const limitMs = Math.min(LIMIT_MS, budget.leftMs);
  for (let attempt = 1; limitMs >= 1; attempt++) {
    const before = process.threadCpuUsage();
    try {
      // On a busy machine other processes use a part of the time, so that each attempt gets more.
      return interruptAfter(work, budget, Math.floor(limitMs) * 2 ** (attempt - 1));
    } catch (error) {
      if (!isInterruption(error)) throw error;
    } finally {
      budget.leftMs -= cpuMsSince(before);
    }
    if (attempt === ATTEMPTS || cpuMsSince(before) > limitMs / 2) break;
  }
  return undefined;
}

function interruptAfter<Result>(
  work: () => Result,
  { sandbox }: PatternBudget,
  timeout: number,
): { value: Result } | undefined {
  let done: { value: Result } | undefined;
  sandbox.work = () => {
    done = { value: work() };
  };
  script.runInContext(sandbox, { timeout });
  return done;
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
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

/**
 * Returns the patterns that must not be used. After a few of them, and when all together have taken too long, further patterns
 * of the same site or message are rejected untried.
 */
export function findCatastrophicPatterns(sources: readonly string[]): Set<string> {
  const found = new Set<string>();
  withPatternBudget(() => {
    for (const source of new Set(sources))
      if (found.size >= MOST_CATASTROPHIC || hasCatastrophicBacktracking(source)) found.add(source);
  });
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
