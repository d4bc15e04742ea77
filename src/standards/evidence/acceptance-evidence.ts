import type { AcceptanceCriterion } from '../spec/working-spec.ts';
import type { TestReportCase } from './test-reports.ts';

export interface CriterionEvidence {
  id: string;
  /** `untested`: no test names the criterion; `skipped`: only skipped tests do; `unproven`: its tests exist nowhere or assert nothing. */
  status: 'passed' | 'failed' | 'skipped' | 'untested' | 'unproven';
  /** Why it is unproven. */
  problem?: string;
  /** The tests of the criterion that passed. */
  passed: readonly TestReportCase[];
  tests: number;
  /** Names of the failed tests, else of the matching ones. */
  names: string[];
}

const MAX_NAMES = 5;

/**
 * Maps acceptance criteria to tests: by the test ids of the spec, else by the criterion's id in a test name. A test name with
 * the id of another spec belongs to that spec.
 */
export function matchAcceptanceEvidence(
  specId: string,
  criteria: readonly AcceptanceCriterion[],
  cases: readonly TestReportCase[],
): CriterionEvidence[] {
  return criteria.map(({ id, test_nodeids: listed }) => {
    const tests = cases.filter((test) => (listed ? isListed(test, listed) : namesCriterion(test.name, id, specId)));
    const failed = tests.filter(({ status }) => status === 'failed');
    const passed = tests.filter(({ status }) => status === 'passed');
    const status =
      failed.length > 0 ? 'failed' : passed.length > 0 ? 'passed' : tests.length > 0 ? 'skipped' : 'untested';
    return {
      id,
      status,
      passed,
      tests: tests.length,
      names: (failed.length > 0 ? failed : tests).slice(0, MAX_NAMES).map(({ name }) => name),
    };
  });
}

function namesCriterion(test: string, id: string, specId: string): boolean {
  if (!criterionPattern(id).test(test)) return false;
  const others = findSpecIds(test, id, specId);
  return others.length === 0 || others.includes(specId);
}

/** Matches `A1 adds`, and in names without spaces `test_A1_adds`, `a1_adds`, `TestSum/A1_adds`, `TestA1Adds`. */
function criterionPattern(id: string): RegExp {
  const snake = id.toLowerCase();
  return new RegExp(
    [
      `(?<![A-Za-z0-9-])${id}(?![A-Za-z0-9-])`,
      `(?<![A-Za-z0-9-])${snake}(?=_)`,
      `(?<=_)${snake}(?![A-Za-z0-9-])`,
      `(?<=[Tt]est)${id}(?![a-z0-9])`,
    ].join('|'),
  );
}

/**
 * Finds ids of specs in a test name: those with the prefix of the own spec, and any id that is a whole suite name or directly
 * precedes the criterion. Elsewhere UTF-8 and SHA-256 would look like ids.
 */
function findSpecIds(test: string, id: string, specId: string): string[] {
  const anyId = '[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\\d+[a-z]*';
  const family = `${specId.slice(0, specId.lastIndexOf('-') + 1)}\\d+[a-z]*`;
  const patterns = [
    `(?<![\\w-])${family}(?![\\w-])`,
    `(?<=^| > )${anyId}(?=$| > )`,
    `(?<![\\w-])${anyId}(?=[:/]? ?${id}\\b)`,
  ];
  return patterns.flatMap((pattern) => test.match(new RegExp(pattern, 'g')) ?? []);
}

/** Accepts `tests/test_x.py::test_y` and a plain name. */
function isListed({ name, file }: TestReportCase, listed: readonly string[]): boolean {
  return listed.some((wanted) => {
    const [path, ...titles] = wanted.split('::');
    const title = titles.at(-1);
    if (title === undefined) return hasTitle(name, wanted);
    const sameFile = file === undefined || path === undefined || file.endsWith(path);
    return sameFile && hasTitle(name, title);
  });
}

/** Compares with and without suite names, and without the parameters that pytest appends. */
function hasTitle(name: string, title: string): boolean {
  const plain = title.endsWith(']') ? name : name.replace(/(?<=\w)\[[^\]]*\]$/, '');
  return [name, plain].some((given) => given === title || given.endsWith(` ${title}`));
}
