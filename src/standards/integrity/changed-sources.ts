import { isCodeFile, isTestFile } from '../evidence/code-files.ts';
import type { BaseFiles } from '../git/base-files.ts';
import type { ChangeSet, FileChange } from '../git/change-set.ts';
import { readProjectFile } from '../spec/project-file.ts';
import type { SourceParser } from '../testcode/grammars.ts';
import { type InspectedSource, inspectSource } from '../testcode/inspect-tests.ts';

/** A changed file with its text before and after the change; undefined where it does not exist. */
export interface ChangedSource {
  change: FileChange;
  before: string | undefined;
  after: string | undefined;
  inspectedBefore: InspectedSource | undefined;
  inspectedAfter: InspectedSource | undefined;
}

/** Git starts once for each file. */
const FILES_AT_A_TIME = 6;
const MAX_FILES = 400;
const MAX_BYTES = 1024 * 1024;

/** Reads changed code: test files first, because a large change may have more files than are read. */
export async function readChangedSources(
  root: string,
  { files }: ChangeSet,
  base: BaseFiles,
  parser: SourceParser,
  signal: AbortSignal,
): Promise<{ sources: ChangedSource[]; unread: FileChange[] }> {
  const code = files.filter(({ path, from }) => isCodeFile(path) || isCodeFile(from ?? ''));
  const isTest = ({ path, from }: FileChange) => isTestFile(path) || isTestFile(from ?? '');
  const ordered = [...code.filter(isTest), ...code.filter((change) => !isTest(change))];
  const wanted = ordered.slice(0, MAX_FILES);
  const sources: ChangedSource[] = [];
  for (let at = 0; at < wanted.length; at += FILES_AT_A_TIME) {
    signal.throwIfAborted();
    sources.push(
      ...(await Promise.all(
        wanted.slice(at, at + FILES_AT_A_TIME).map((change) => readSource(root, change, base, parser)),
      )),
    );
  }
  return { sources, unread: ordered.slice(MAX_FILES) };
}

async function readSource(
  root: string,
  change: FileChange,
  base: BaseFiles,
  parser: SourceParser,
): Promise<ChangedSource> {
  const { path, from, kind } = change;
  const oldPath = from ?? path;
  const isNew = kind === 'added' || kind === 'untracked';
  const [before, after] = await Promise.all([
    isNew ? undefined : base.read(oldPath),
    kind === 'deleted'
      ? undefined
      : readProjectFile(root, path, { maxBytes: MAX_BYTES }).then(
          ({ text }) => text,
          () => undefined,
        ),
  ]);
  return {
    change,
    before,
    after,
    inspectedBefore: before === undefined ? undefined : await inspectSource(parser, oldPath, before),
    inspectedAfter: after === undefined ? undefined : await inspectSource(parser, path, after),
  };
}
