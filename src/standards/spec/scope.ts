import picomatch from 'picomatch';

const MAX_PATTERN_LENGTH = 500;
/** A pattern with more wildcards takes exponential time on long names; it matches only literally. */
const MAX_WILDCARDS = 12;

/** Creates a test for paths that match a list of files, folders (with their content) and globs. */
export function createPathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const tests = patterns.map((given) => {
    const pattern = given.replace(/^\.\//, '').replace(/\/+$/, '');
    if (pattern === '' || pattern === '.') return () => true;
    const plain = (path: string) => path === pattern || path.startsWith(`${pattern}/`);
    if (!/[*?[\]{}!]/.test(pattern) || isTooComplex(pattern)) return plain;
    const options = { dot: true, noextglob: true, nonegate: true };
    const matches = picomatch([pattern, `${pattern}/**`], options);
    return (path: string) => plain(path) || matches(path);
  });
  return (path) => tests.some((test) => test(path));
}

function isTooComplex(pattern: string): boolean {
  return pattern.length > MAX_PATTERN_LENGTH || (pattern.match(/[*?{[]/g)?.length ?? 0) > MAX_WILDCARDS;
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
