import { isTestFile, testStem } from '../evidence/code-files.ts';
import { fullTitle, type InspectedTest, similarityOf } from '../testcode/inspected-test.ts';
import type { ChangedSource } from './changed-sources.ts';
import { createWeakening, type Weakening } from './weakening.ts';

/** A test keeps at least this share of its names when it is renamed or moved; in a table its values are elsewhere. */
const SAME_TEST = 0.75;
const IN_TABLE = 0.4;

/** Lists tests that the change deletes, skips or empties, and new tests that cannot fail. */
export function findTestWeakenings(sources: readonly ChangedSource[]): Weakening[] {
  const tests = sources.filter(({ change: { path, from } }) => isTestFile(path) || isTestFile(from ?? ''));
  const before = tests.flatMap((source) =>
    isTestFile(source.change.from ?? source.change.path)
      ? (source.inspectedBefore?.tests ?? []).map((test) => ({ test, path: source.change.path }))
      : [],
  );
  const after = tests.flatMap(({ inspectedAfter, change }) =>
    isTestFile(change.path) ? (inspectedAfter?.tests ?? []) : [],
  );
  const { pairs, missing, added } = pairTests(before, after);
  const removedNames = findRemovedNames(sources);
  return [
    ...pairs.flatMap(([old, now]) => compareTests(old, now)),
    ...missing.filter(({ isSkipped }) => !isSkipped).map((test) => describeMissing(test, removedNames)),
    ...added.flatMap(describeNew),
    ...tests.flatMap((source) => compareUnparsed(source, sources)),
  ];
}

interface Pairing {
  pairs: [before: InspectedTest, after: InspectedTest][];
  missing: InspectedTest[];
  added: InspectedTest[];
}

/** Pairs tests by file and title, then by title, then by the names that they use. */
function pairTests(before: readonly { test: InspectedTest; path: string }[], after: readonly InspectedTest[]): Pairing {
  const pairs: Pairing['pairs'] = [];
  const free = new Set(after);
  let open = [...before];
  const pairBy = (matches: (old: (typeof open)[number], now: InspectedTest) => boolean) => {
    open = open.filter((old) => {
      const now = [...free].find((one) => matches(old, one));
      if (!now) return true;
      free.delete(now);
      pairs.push([old.test, now]);
      return false;
    });
  };
  pairBy((old, now) => old.path === now.file && fullTitle(old.test) === fullTitle(now));
  pairBy((old, now) => fullTitle(old.test) === fullTitle(now));
  pairBy((old, now) => now.verdict === 'asserts' && similarityOf(old.test, now) >= SAME_TEST);
  const tables = after.filter(({ isParameterized, verdict }) => isParameterized && verdict === 'asserts');
  const missing = open.filter(({ test }) => !tables.some((table) => similarityOf(test, table) >= IN_TABLE));
  return { pairs, missing: missing.map(({ test }) => test), added: [...free] };
}

/** Names that source files declared before the change and that none declares after it. */
function findRemovedNames(sources: readonly ChangedSource[]): Set<string> {
  const code = sources.filter(({ change: { path, from } }) => !isTestFile(from ?? path));
  const now = new Set(code.flatMap(({ inspectedAfter }) => [...(inspectedAfter?.declared ?? [])]));
  const old = code.flatMap(({ inspectedBefore }) => [...(inspectedBefore?.declared ?? [])]);
  return new Set(old.filter((name) => !now.has(name)));
}

const named = (test: InspectedTest) => JSON.stringify(fullTitle(test));

function compareTests(before: InspectedTest, after: InspectedTest): Weakening[] {
  const { file, line } = after;
  const add = (kind: Weakening['kind'], what: string, severity: Weakening['severity'] = 'weakening') =>
    createWeakening({ kind, file, line, what, severity });
  const found: Weakening[] = [];
  if (after.isSkipped && !before.isSkipped) found.push(add('test_skipped', `The test ${named(after)} is skipped now`));
  if (after.isFocused && !before.isFocused)
    found.push(add('test_focused', `The test ${named(after)} is focused, so that others do not run`));
  if (before.verdict === 'asserts' && after.verdict !== 'asserts')
    found.push(add('test_emptied', `The test ${named(after)} ${lostAssertions[after.verdict]}`));
  else if (
    before.assertions > before.presenceChecks &&
    after.assertions > 0 &&
    after.assertions <= after.presenceChecks
  )
    found.push(
      add('assertions_removed', `The test ${named(after)} only checks that there is a value; before, it compared it`),
    );
  else if (after.assertions < before.assertions)
    found.push(
      add(
        'assertions_removed',
        `The test ${named(after)} has ${after.assertions} instead of ${before.assertions} assertions`,
        'note',
      ),
    );
  return found;
}

const lostAssertions: Record<Exclude<InspectedTest['verdict'], 'asserts'>, string> = {
  empty: 'has no statements any more',
  no_assertion: 'asserts nothing any more',
  tautological: 'only compares constants now',
};

function describeMissing(test: InspectedTest, removedNames: ReadonlySet<string>): Weakening {
  const subject = [...test.names].find((name) => removedNames.has(name));
  const { file, line } = test;
  if (subject !== undefined) {
    const what = `The test ${named(test)} is deleted together with ${subject}`;
    return createWeakening({ kind: 'test_deleted', file, what, severity: 'note' });
  }
  return createWeakening({ kind: 'test_deleted', file, line, what: `The test ${named(test)} is deleted` });
}

/** A new test without an assertion may check that nothing throws; one that compares constants checks nothing. */
function describeNew(test: InspectedTest): Weakening[] {
  const { file, line, verdict, isSkipped } = test;
  const add = (kind: Weakening['kind'], what: string, severity: Weakening['severity'] = 'weakening') => [
    createWeakening({ kind, file, line, what, severity }),
  ];
  if (isSkipped) return [];
  if (test.isFocused) return add('test_focused', `The new test ${named(test)} is focused, so that others do not run`);
  if (verdict === 'tautological')
    return add('test_tautological', `The new test ${named(test)} only compares constants`);
  if (verdict === 'empty') return add('test_tautological', `The new test ${named(test)} has no statements`);
  if (verdict === 'no_assertion')
    return add('test_without_assertion', `The new test ${named(test)} asserts nothing`, 'note');
  return [];
}

/** What can be said of a test file whose language has no parser here, or that does not parse. */
function compareUnparsed(source: ChangedSource, sources: readonly ChangedSource[]): Weakening[] {
  const { change, before, inspectedBefore, inspectedAfter } = source;
  const { path, from, kind, added, removed } = change;
  const add = (type: Weakening['kind'], what: string, severity: Weakening['severity'] = 'weakening') => [
    createWeakening({ kind: type, file: path, what, severity }),
  ];
  const had = (inspectedBefore?.tests.length ?? 0) > 0;
  if (had && kind !== 'deleted' && isTestFile(path) && !inspectedAfter)
    return add('test_unreadable', 'The test file cannot be parsed any more');
  if (inspectedBefore || before === undefined) return [];
  if (kind === 'deleted' || !isTestFile(path)) {
    const subject = sources.find(
      ({ change: other }) =>
        other.kind === 'deleted' && !isTestFile(other.path) && testStem(other.path) === testStem(from ?? path),
    );
    return subject
      ? add('test_deleted', `The test file is deleted together with ${subject.change.path}`, 'note')
      : add('test_deleted', 'The test file is deleted');
  }
  return removed > added
    ? add('assertions_removed', `The test file loses ${removed - added} lines; its language is not parsed`, 'note')
    : [];
}
