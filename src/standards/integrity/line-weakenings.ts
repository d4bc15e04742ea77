import { isCodeFile, isTestFile, testStem } from '../evidence/code-files.ts';
import type { FileChange } from '../git/change-set.ts';
import type { ChangedSource } from './changed-sources.ts';
import { createWeakening, type Weakening } from './weakening.ts';

/** Comments and marks with which code is left out of a measurement, as the tools define them. */
const measurementPragmas: readonly [what: string, pattern: RegExp][] = [
  ['istanbul or v8 ignore', /\b(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)\b/],
  ['pragma: no cover', /#\s*pragma:\s*no\s*(?:cover|branch)/i],
  ['LCOV_EXCL', /\b(?:LCOV|GCOV|GCOVR)_EXCL_/],
  ['codecov:ignore', /\b(?:codecov|coverage):\s*ignore\b/i],
  [
    '@Generated',
    /^\s*@(?:\w+\.)*(?:Generated|ExcludeFromCodeCoverage|ExcludeFromJacocoGeneratedReport)\b|\[ExcludeFromCodeCoverage\]/,
  ],
  ['no_coverage', /#\[(?:coverage\(off\)|no_coverage)\]|#\s*:nocov:|@codeCoverageIgnore/],
  ['Stryker disable', /\bStryker\s+disable\b|@MutationIgnore|#\[mutants::skip\]|pragma:\s*no\s*mutate/],
];
/** Suppressed findings of linters and type checkers are for reviewers. */
const findingPragmas =
  /\b(?:eslint-disable|biome-ignore|@ts-(?:ignore|nocheck)|type:\s*ignore|noqa|nolint|NOSONAR|SuppressWarnings|rubocop:disable|pylint:\s*disable)\b/;

/** Lists marks that leave code out of coverage, mutants or checks and that the file had fewer of. */
export function findPragmaWeakenings(sources: readonly ChangedSource[]): Weakening[] {
  return sources.flatMap(({ change: { path }, before = '', after = '' }) => {
    const measured = measurementPragmas.flatMap(([what, pattern]) => {
      const lines = listAdded(before, after, pattern);
      const [line] = lines;
      if (line === undefined) return [];
      const text = `${what} is added in ${lines.length === 1 ? 'one line' : `${lines.length} lines`}, which leaves code out of the measurement`;
      return [createWeakening({ kind: 'pragma_added', file: path, line, what: text, facts: { lines: lines.length } })];
    });
    const [finding] = listAdded(before, after, findingPragmas);
    if (finding === undefined) return measured;
    const what = 'A finding of a linter or type checker is suppressed';
    return [...measured, createWeakening({ kind: 'pragma_added', file: path, line: finding, what, severity: 'note' })];
  });
}

/** Line numbers of the matches beyond those that the file had before. */
function listAdded(before: string, after: string, pattern: RegExp): number[] {
  if (!pattern.test(after) && !after.split('\n').some((line) => pattern.test(line))) return [];
  const matching = (text: string) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [{ line, at: index + 1 }] : []));
  const known = matching(before).map(({ line }) => line.trim());
  return matching(after).flatMap(({ line, at }) => {
    const index = known.indexOf(line.trim());
    if (index < 0) return [at];
    known.splice(index, 1);
    return [];
  });
}

/** Files in which test tools keep what they compare with. */
const snapshotFile =
  /(?:^|\/)__(?:image_)?snapshots__\/|(?:^|\/)[^/]+-snapshots\/|\.(?:snap|ambr|approved|verified|golden)(?:\.\w+)?$|(?:^|\/)(?:goldens?|testdata)\/.*\.(?:golden|txt|json|html|svg|png)$/;

/** Lists stored expectations that the change rewrites or deletes. New entries are no weakening. */
export function findSnapshotWeakenings(files: readonly FileChange[]): Weakening[] {
  return files
    .filter(({ path, kind }) => snapshotFile.test(path) && kind !== 'added' && kind !== 'untracked')
    .filter(({ removed, binary, kind }) => removed > 0 || binary || kind === 'deleted')
    .map(({ path, kind, added, removed }) => {
      const stem = testStem(path.replace(/\.(?:snap|ambr)$/, ''));
      const withTest = files.some(
        (other) => other.kind === 'deleted' && isTestFile(other.path) && testStem(other.path) === stem,
      );
      return createWeakening({
        kind: 'snapshot_rewritten',
        file: path,
        what:
          kind === 'deleted'
            ? `The stored expectations are deleted${withTest ? ' together with their test' : ''}`
            : `The stored expectations are rewritten (+${added} -${removed} lines)`,
        severity: kind === 'deleted' && withTest ? 'note' : 'weakening',
        facts: { added, removed },
      });
    });
}

/** Files that run before tests or decide what a pipeline checks. */
const supportFile =
  /(?:^|\/)(?:conftest\.py|[^/]*(?:vitest|jest|test|mocha)[.-]?setup[^/]*\.[cm]?[jt]sx?|setupTests\.[jt]sx?|TestMain\.java)$/i;
const pipelineFile =
  /^(?:\.github\/(?:workflows|actions)\/|\.gitlab-ci\.yml$|azure-pipelines|Jenkinsfile|\.circleci\/|\.husky\/|lefthook\.ya?ml$|\.pre-commit-config\.yaml$)/;

/** Lists changed files that can change the outcome of other tests. */
export function findSupportWeakenings(files: readonly FileChange[]): Weakening[] {
  return files.flatMap(({ path, kind }) => {
    const add = (type: Weakening['kind'], what: string) => [
      createWeakening({ kind: type, file: path, what, severity: 'note' }),
    ];
    if (pipelineFile.test(path)) return add('pipeline_changed', `A pipeline or hook file is ${kind}`);
    return supportFile.test(path) ? add('test_support_changed', `A file that runs before tests is ${kind}`) : [];
  });
}

/** Lists files that git was told not to compare. */
export function findHiddenChanges(hidden: readonly string[]): Weakening[] {
  return hidden.filter(isCodeOrRule).map((file) =>
    createWeakening({
      kind: 'change_hidden',
      file,
      what: 'The file is marked assume-unchanged or skip-worktree, so git does not compare it; undo that with git update-index --no-assume-unchanged --no-skip-worktree',
    }),
  );
}

const isCodeOrRule = (path: string) => isCodeFile(path) || path.startsWith('.caws/');
