import type { AcceptanceCriterion } from '../spec/working-spec.ts';
import type { TestReportCase } from './test-reports.ts';

export interface CriterionEvidence {
  id: string;
  /** `untested`: no test names it; `skipped`: only skipped tests do. */
  status: 'passed' | 'failed' | 'skipped' | 'untested';
  tests: number;
  /** Names of tests that prove it, or that fail. */
  names: string[];
}

const MAX_NAMES = 5;

/**
 * Maps acceptance criteria to tests: by the ids that the spec lists, else by the criterion's id in a test's name. A name that
 * also holds the id of another spec speaks of that one's criterion.
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

/** `A1 adds`, and where a name has no spaces: `test_A1_adds`, `a1_adds`, `TestSum/A1_adds`, `TestA1Adds`. */
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
 * Ids of specs in a name: those that begin as the spec's own does, and any that is a suite's whole name or stands right
 * before the criterion. Elsewhere UTF-8 and SHA-256 look like ids and are none.
 */
function findSpecIds(test: string, id: string, specId: string): string[] {
  const anyId = '[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\\d+';
  const family = `${specId.slice(0, specId.lastIndexOf('-') + 1)}\\d+`;
  const patterns = [
    `(?<![\\w-])${family}(?![\\w-])`,
    `(?<=^| > )${anyId}(?=$| > )`,
    `(?<![\\w-])${anyId}(?=[:/]? ?${id}\\b)`,
  ];
  return patterns.flatMap((pattern) => test.match(new RegExp(pattern, 'g')) ?? []);
}

/** `tests/test_x.py::test_y` and a plain name are both written. */
function isListed({ name, file }: TestReportCase, listed: readonly string[]): boolean {
  return listed.some((wanted) => {
    const [path, ...titles] = wanted.split('::');
    const title = titles.at(-1);
    if (title === undefined) return hasTitle(name, wanted);
    const sameFile = file === undefined || path === undefined || file.endsWith(path);
    return sameFile && hasTitle(name, title);
  });
}

/** With the suites before it or without; pytest puts the parameters of a test behind its name. */
function hasTitle(name: string, title: string): boolean {
  const plain = title.endsWith(']') ? name : name.replace(/(?<=\w)\[[^\]]*\]$/, '');
  return [name, plain].some((given) => given === title || given.endsWith(` ${title}`));
}
