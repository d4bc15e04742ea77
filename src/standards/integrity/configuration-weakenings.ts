import type { BaseFiles } from '../git/base-files.ts';
import type { FileChange } from '../git/change-set.ts';
import { readProjectFile } from '../spec/project-file.ts';
import type { SourceParser } from '../testcode/grammars.ts';
import { isTestConfiguration, readTestSettings, type TestSetting } from './test-settings.ts';
import { createWeakening, type Weakening } from './weakening.ts';

const threshold =
  /threshold|fail_under|check-coverage|check_coverage|(?:^|\.)(?:branches|lines|functions|statements|high|low|break)$/i;
/** More of these measure or run less. */
const exclusion = /exclude|omit|ignore|deselect|skip|norecursedirs/i;
/** Less of these measure or run less. */
const inclusion =
  /include|testMatch|testRegex|testpaths|python_files|collectCoverageFrom|mutate$|(?:^|\.)(?:all|source|files|spec)$/i;
const lenient = /passWithNoTests|allowOnly|dangerously|bail|retry|retries|forbidOnly|reruns/i;
const script = /^scripts\./;
/** Options of a command that only write reports. */
const reportingOption =
  /^(?:--?(?:coverage|reporters?|outputFile|output-file|cov|junit|test-reporter|experimental-test-coverage|coverageReporters|json|ci|run|verbose)\b.*)$/;

/** Lists settings of test tools that the change makes laxer. */
export async function findConfigurationWeakenings(
  root: string,
  files: readonly FileChange[],
  base: BaseFiles,
  parser: SourceParser,
): Promise<Weakening[]> {
  const changed = files.filter(({ path, from }) => isTestConfiguration(from ?? path));
  const found = await Promise.all(
    changed.map(async ({ path, from, kind }) => {
      const before = await base.read(from ?? path);
      if (before === undefined) return [];
      const after =
        kind === 'deleted'
          ? ''
          : await readProjectFile(root, path).then(
              ({ text }) => text,
              () => '',
            );
      const [old, now] = await Promise.all([
        readTestSettings(parser, path, before),
        readTestSettings(parser, path, after),
      ]);
      if (old && now) return compareSettings(path, old, now);
      return [
        createWeakening({
          kind: 'configuration_relaxed',
          file: path,
          what: 'The settings of tests changed and cannot be compared',
          severity: 'note',
        }),
      ];
    }),
  );
  return found.flat();
}

function compareSettings(file: string, before: readonly TestSetting[], after: readonly TestSetting[]): Weakening[] {
  const keys = [...new Set([...before, ...after].map(({ key }) => key))];
  return keys.flatMap((key) => {
    const valuesOf = (settings: readonly TestSetting[]) =>
      settings.filter((one) => one.key === key).map(({ value }) => value);
    const [old, now] = [valuesOf(before), valuesOf(after)];
    const added = now.filter((value) => !old.includes(value));
    const removed = old.filter((value) => !now.includes(value));
    if (added.length + removed.length === 0) return [];
    const list = (values: readonly string[]) => values.map((value) => JSON.stringify(value)).join(', ') || 'nothing';
    const add = (kind: Weakening['kind'], what: string, severity: Weakening['severity'] = 'weakening') => [
      createWeakening({ kind, file, what: what.slice(0, 500), severity }),
    ];
    if (script.test(key)) return compareCommands(old, now, key, add);
    if (threshold.test(key) && isLower(old[0], now[0]))
      return add('threshold_lowered', `${key} changes from ${list(old)} to ${list(now)}`);
    if (exclusion.test(key) && added.length > 0)
      return add('configuration_relaxed', `${key} leaves out ${list(added)}`);
    if (inclusion.test(key) && removed.length > 0)
      return add('configuration_relaxed', `${key} no longer has ${list(removed)}`);
    if (lenient.test(key)) return add('configuration_relaxed', `${key} changes from ${list(old)} to ${list(now)}`);
    return add('configuration_relaxed', `${key} changes from ${list(old)} to ${list(now)}`, 'note');
  });
}

function isLower(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined) return false;
  if (after === undefined || (before === 'true' && after === 'false')) return true;
  return Number(after) < Number(before);
}

/** A command that only gains options for reports still runs the same tests. */
function compareCommands(
  before: readonly string[],
  after: readonly string[],
  key: string,
  add: (kind: Weakening['kind'], what: string, severity?: Weakening['severity']) => Weakening[],
): Weakening[] {
  const [old] = before;
  const [now = 'nothing'] = after;
  if (old === undefined) return [];
  const words = now.split(/\s+/);
  const kept = old.split(/\s+/).every((word) => words.includes(word));
  const gained = words.filter((word) => !old.split(/\s+/).includes(word));
  const severity = kept && gained.every((word) => reportingOption.test(word)) ? 'note' : 'weakening';
  return add('test_command_changed', `${key} changes from "${old}" to "${now}"`, severity);
}
