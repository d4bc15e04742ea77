import picomatch from 'picomatch';

const LONGEST_PATTERN = 500;
/** More wildcards than a person writes make a pattern that takes forever on a long name. */
const MOST_WILDCARDS = 12;

/** Tells whether a path is named by a list of files, folders (with all below) and globs. */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const tests = patterns.map((given) => {
    const pattern = given.replace(/^\.\//, '').replace(/\/+$/, '');
    if (pattern === '' || pattern === '.') return () => true;
    const plain = (path: string) => path === pattern || path.startsWith(`${pattern}/`);
    if (!/[*?[\]{}!]/.test(pattern) || isTooMuch(pattern)) return plain;
    const options = { dot: true, noextglob: true, nonegate: true };
    const matches = picomatch([pattern, `${pattern}/**`], options);
    return (path: string) => plain(path) || matches(path);
  });
  return (path) => tests.some((test) => test(path));
}

function isTooMuch(pattern: string): boolean {
  return pattern.length > LONGEST_PATTERN || (pattern.match(/[*?{[]/g)?.length ?? 0) > MOST_WILDCARDS;
}

export type ScopeAnswer = 'in' | 'out' | 'beyond';

/** Whether a spec lets a path be changed: named in scope, taken out of it, or not named at all. */
export function scopeOf(
  scope: { in: readonly string[]; out?: readonly string[] | undefined },
  ungoverned: readonly string[] = [],
): (path: string) => ScopeAnswer {
  const free = pathMatcher(['.caws', ...ungoverned]);
  const inside = pathMatcher(scope.in);
  const outside = pathMatcher(scope.out ?? []);
  return (path) => {
    if (free(path)) return 'in';
    if (outside(path)) return 'out';
    return inside(path) ? 'in' : 'beyond';
  };
}
