import { isCodeFile, isTestFile } from '../evidence/code-files.ts';
import { readBaseTexts } from '../git/base-texts.ts';
import type { ChangeSet, FileChange } from '../git/change-set.ts';
import type { ProjectRepository } from '../git/repository.ts';
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

const FILES_AT_A_TIME = 8;
const isInDiff = ({ kind, binary }: FileChange) => kind !== 'untracked' && kind !== 'added' && !binary;
const MAX_FILES = 400;
const MAX_BYTES = 1024 * 1024;

/** Reads changed code: test files first, because a large change may have more files than are read. */
export async function readChangedSources(
  { root, repository }: { root: string; repository: ProjectRepository },
  changes: ChangeSet,
  parser: SourceParser,
  signal: AbortSignal,
): Promise<{ sources: ChangedSource[]; unread: FileChange[] }> {
  const code = changes.files.filter(({ path, from }) => isCodeFile(path) || isCodeFile(from ?? ''));
  const isTest = ({ path, from }: FileChange) => isTestFile(path) || isTestFile(from ?? '');
  const ordered = [...code.filter(isTest), ...code.filter((change) => !isTest(change))];
  const wanted = ordered.slice(0, MAX_FILES);
  const old = wanted.filter(isInDiff).flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const texts = await readBaseTexts(repository, root, changes, old);
  if (!texts) return { sources: [], unread: ordered };
  const sources: ChangedSource[] = [];
  for (let at = 0; at < wanted.length; at += FILES_AT_A_TIME) {
    signal.throwIfAborted();
    sources.push(
      ...(await Promise.all(
        wanted.slice(at, at + FILES_AT_A_TIME).map((change) => readSource(root, change, texts, parser)),
      )),
    );
  }
  return { sources, unread: ordered.slice(MAX_FILES) };
}

async function readSource(
  root: string,
  change: FileChange,
  texts: ReadonlyMap<string, string>,
  parser: SourceParser,
): Promise<ChangedSource> {
  const { path, from, kind } = change;
  const oldPath = from ?? path;
  const after =
    kind === 'deleted'
      ? undefined
      : await readProjectFile(root, path, { maxBytes: MAX_BYTES }).then(
          ({ text }) => text,
          () => undefined,
        );
  // A file that was only renamed has no text in the diff.
  const before = texts.get(oldPath) ?? (kind === 'renamed' ? after : undefined);
  return {
    change,
    before,
    after,
    inspectedBefore: before === undefined ? undefined : await inspectSource(parser, oldPath, before),
    inspectedAfter: after === undefined ? undefined : await inspectSource(parser, path, after),
  };
}
