import { readChangeSet } from '../git/change-set.ts';
import { loadPolicy } from '../spec/policy.ts';
import type { GovernedProject } from '../spec/project.ts';
import { createPathMatcher } from '../spec/scope.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import { roundTo } from './distribution.ts';
import type { HistoryAnalysis } from './history-analysis.ts';
import { type PastChange, readPastChanges } from './past-changes.ts';

const MIN_CHANGES = 3;
const MAX_LISTED = 5;
const MIN_SIMILARITY = 0.1;
const FOLLOW_UP_DAYS = 14;
const weights = { words: 0.5, paths: 0.4, mode: 0.1 };

/** Finds past changes that resemble the current one by words, touched folders and kind, with their reverts and later fixes. */
export async function findSimilarChanges(project: GovernedProject, spec: WorkingSpec): Promise<HistoryAnalysis> {
  const past = await readPastChanges(project);
  if (past.length < MIN_CHANGES) {
    const counts = `${past.length} past changes, and at least ${MIN_CHANGES} are needed`;
    return {
      status: 'insufficient_data',
      lines: [`insufficient_data: ${counts}`],
      data: { changes: past.length, needed: MIN_CHANGES },
    };
  }
  const touched = await listTouchedFolders(project, spec, past);
  const wordSimilarities = compareWords(
    tokenizeSpec(spec),
    past.map(({ message }) => tokenize(message)),
  );
  const similar = past
    .map((change, index) => {
      const parts = {
        words: wordSimilarities[index] ?? 0,
        paths: jaccardIndex(touched, new Set(change.paths.map(folderOf))),
        mode: change.kind === spec.mode ? 1 : 0,
      };
      return {
        change,
        parts,
        similarity: parts.words * weights.words + parts.paths * weights.paths + parts.mode * weights.mode,
      };
    })
    .filter(({ parts, similarity }) => similarity >= MIN_SIMILARITY && parts.words + parts.paths > 0)
    .sort((a, b) => b.similarity - a.similarity || (a.change.id < b.change.id ? -1 : 1))
    .slice(0, MAX_LISTED)
    .map(({ change, parts, similarity }) => ({
      commit: change.id,
      subject: change.subject,
      date: change.date,
      similarity: roundTo(similarity),
      because: { words: roundTo(parts.words), paths: roundTo(parts.paths), mode: parts.mode === 1 },
      files: change.paths.length,
      lines: change.lines,
      reverted: past.some(({ message }) => message.includes(`This reverts commit ${change.id}`)),
      follow_up_fixes: countFollowUpFixes(change, past),
    }));
  return {
    status: 'ok',
    lines: [
      `${past.length} past changes compared with ${spec.id}`,
      ...(similar.length === 0 ? ['none is similar'] : []),
      ...similar.map(
        (one) =>
          `${one.commit.slice(0, 12)} ${one.subject}: ${Math.round(one.similarity * 100)} % similar, ${one.files} files, ${one.lines} lines, ${one.follow_up_fixes} fixes after it${one.reverted ? ', reverted' : ''}`,
      ),
    ],
    data: { compared: past.length, similar },
  };
}

/** The folders of the current change; before it touches files, the folders of past changes in its scope. */
async function listTouchedFolders(
  { repository, root }: GovernedProject,
  spec: WorkingSpec,
  past: readonly PastChange[],
): Promise<Set<string>> {
  const { policy } = await loadPolicy(root);
  const changes = repository ? await readChangeSet(repository, root, policy.base) : { reason: '' };
  const current =
    'files' in changes ? changes.files.map(({ path }) => path).filter((path) => !path.startsWith('.caws/')) : [];
  const inScope = createPathMatcher(spec.scope.in);
  const paths = current.length > 0 ? current : past.flatMap(({ paths: all }) => all.filter(inScope));
  return new Set(paths.map(folderOf));
}

/** Folders are compared, because related changes seldom touch the same files. */
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

function jaccardIndex(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((item) => other.has(item)).length;
  const either = one.size + other.size - both;
  return either === 0 ? 0 : both / either;
}

const tokenizeSpec = ({ title, acceptance }: WorkingSpec) =>
  tokenize([title, ...acceptance.flatMap((criterion) => [criterion.given, criterion.when, criterion.then])].join(' '));

const tokenize = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** Cosine similarity of TF-IDF vectors, so that common words count little. */
function compareWords(query: readonly string[], documents: readonly string[][]): number[] {
  const seenIn = new Map<string, number>();
  for (const document of [query, ...documents])
    for (const word of new Set(document)) seenIn.set(word, (seenIn.get(word) ?? 0) + 1);
  const total = documents.length + 1;
  const vector = (document: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const word of document) counts.set(word, (counts.get(word) ?? 0) + 1);
    return new Map([...counts].map(([word, count]) => [word, count * Math.log(total / (seenIn.get(word) ?? 1))]));
  };
  const length = (values: ReadonlyMap<string, number>) => Math.hypot(...values.values());
  const queryVector = vector(query);
  return documents.map((document) => {
    const other = vector(document);
    const dot = [...queryVector].reduce((sum, [word, weight]) => sum + weight * (other.get(word) ?? 0), 0);
    const scale = length(queryVector) * length(other);
    return scale === 0 ? 0 : dot / scale;
  });
}

/** Counts fixes within two weeks that touch a file of the change. */
function countFollowUpFixes(change: PastChange, past: readonly PastChange[]): number {
  const from = Date.parse(change.date);
  const touched = new Set(change.paths);
  return past.filter(({ id, kind, date, paths }) => {
    const days = (Date.parse(date) - from) / 86_400_000;
    return (
      id !== change.id &&
      kind === 'fix' &&
      days >= 0 &&
      days <= FOLLOW_UP_DAYS &&
      paths.some((path) => touched.has(path))
    );
  }).length;
}
