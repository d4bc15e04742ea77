import picomatch from 'picomatch';
import { once } from '../../platform/once.ts';
import { createLinearMatcher } from '../../platform/text/linear-pattern.ts';

/** A longer pattern matches only literally. */
const MAX_PATTERN_LENGTH = 500;
const options = { dot: true, noextglob: true, nonegate: true };

/** Creates a test for paths that match a list of files, folders (with their content) and globs. */
export function createPathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const tests = patterns.map((given) => {
    const pattern = given.replace(/^\.\//, '').replace(/\/+$/, '');
    if (pattern === '' || pattern === '.') return () => true;
    const plain = (path: string) => path === pattern || path.startsWith(`${pattern}/`);
    if (!/[*?[\]{}!]/.test(pattern) || pattern.length > MAX_PATTERN_LENGTH) return plain;
    const globs = [createGlobMatcher(pattern), createGlobMatcher(`${pattern}/**`)];
    return (path: string) => plain(path) || globs.some((matches) => matches(path));
  });
  return (path) => tests.some((test) => test(path));
}

/** Steps of V8 that take less time than the linear matcher. */
const MOST_STEPS = 20_000;

/** Globs come from the repository, and V8 takes exponential time for some of those that picomatch translates. */
function createGlobMatcher(glob: string): (path: string) => boolean {
  const pattern = picomatch.makeRe(glob, options);
  const isSimple = /^[\w\-./*@ ]*$/.test(glob);
  const stars = glob.match(/\*+/g)?.length ?? 0;
  const matchesLinearly = once(() => createLinearMatcher(pattern.source));
  return (path) => {
    if (path === '') return false;
    if (isSimple && path.length ** stars <= MOST_STEPS) return pattern.test(path);
    return matchesLinearly()?.(path) ?? false;
  };
}

export type ScopeVerdict = 'in' | 'out' | 'beyond';

/** Creates a test whether a spec allows a path to change: `in` scope, `out` by scope.out, or `beyond`: not listed. */
export function createScopeMatcher(
  scope: { in: readonly string[]; out?: readonly string[] | undefined },
  ungoverned: readonly string[] = [],
): (path: string) => ScopeVerdict {
  const isUngoverned = createPathMatcher(['.caws', ...ungoverned]);
  const isIncluded = createPathMatcher(scope.in);
  const isExcluded = createPathMatcher(scope.out ?? []);
  return (path) => {
    if (isUngoverned(path)) return 'in';
    if (isExcluded(path)) return 'out';
    return isIncluded(path) ? 'in' : 'beyond';
  };
}
