import type { AcceptanceCriterion } from '../spec/working-spec.ts';
import type { TestCase } from './test-reports.ts';

export interface CriterionEvidence {
  id: string;
  /** `untested`: no test names it; `skipped`: only skipped tests do. */
  status: 'passed' | 'failed' | 'skipped' | 'untested';
  tests: number;
  /** Names of tests that prove it, or that fail. */
  names: string[];
}

const SHOWN = 5;

/**
 * Maps acceptance criteria to tests: by the ids that the spec lists, else by the criterion's id in a test's name. A name that
 * also holds the id of another spec speaks of that one's criterion.
 */
export function acceptanceEvidence(
  specId: string,
  criteria: readonly AcceptanceCriterion[],
  cases: readonly TestCase[],
): CriterionEvidence[] {
  return criteria.map(({ id, test_nodeids: listed }) => {
    const tests = cases.filter((test) => (listed ? isListed(test, listed) : names(test.name, id, specId)));
    const failed = tests.filter(({ status }) => status === 'failed');
    const passed = tests.filter(({ status }) => status === 'passed');
    const status =
      failed.length > 0 ? 'failed' : passed.length > 0 ? 'passed' : tests.length > 0 ? 'skipped' : 'untested';
    return {
      id,
      status,
      tests: tests.length,
      names: (failed.length > 0 ? failed : tests).slice(0, SHOWN).map(({ name }) => name),
    };
  });
}

function names(test: string, id: string, specId: string): boolean {
  if (!new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(test)) return false;
  const others: string[] = test.match(/(?<![\w-])[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+(?![\w-])/g) ?? [];
  return others.length === 0 || others.includes(specId);
}

/** `tests/test_x.py::test_y` and a plain name are both written. */
function isListed({ name, file }: TestCase, listed: readonly string[]): boolean {
  return listed.some((wanted) => {
    const [path, ...titles] = wanted.split('::');
    const title = titles.at(-1);
    if (title === undefined) return name === wanted || name.endsWith(` > ${wanted}`) || name.endsWith(` ${wanted}`);
    const sameFile = file === undefined || path === undefined || file.endsWith(path);
    return sameFile && (name === title || name.endsWith(` > ${title}`) || name.endsWith(` ${title}`));
  });
}
