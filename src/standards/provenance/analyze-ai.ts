import { isSource, isTestFile } from '../evidence/code-files.ts';
import type { Repository } from '../git/repository.ts';
import { type LoggedCommit, readLog } from '../history/log.ts';
import { authorshipSignals } from './authorship.ts';
import type { AuthorshipSignal } from './entry.ts';
import { commitsWithNotes } from './notes.ts';

type Share = {
  commits: number;
  lines_added: number;
  /** Of its commits that later ones revert by name. */
  reverted: number;
  /** Of its commits that touch a source file, those that touch a test too. */
  with_tests: number | null;
};

export type AiAnalysis = {
  commits_analyzed: number;
  assisted: Share;
  /** No sign either way: not the same as written by a person. */
  unknown: Share;
  by_tool: { tool: string; commits: number; lines_added: number; confidence: AuthorshipSignal['confidence'] }[];
  signals: { signal: string; confidence: AuthorshipSignal['confidence']; commits: number }[];
  latest: { commit: string; subject: string; signals: AuthorshipSignal[] }[];
};

const MOST_COMMITS = 5000;
const LATEST = 10;
const ranks = { high: 3, medium: 2, low: 1 };

/** Which commits carry a sign of a tool's hand, counted over the latest history. A bare mention is a sign, but counts nothing. */
export async function analyzeAi(repository: Repository): Promise<AiAnalysis> {
  const choice = ['--no-merges', `--max-count=${MOST_COMMITS}`, '--numstat', 'HEAD', '--'];
  const commits = repository.head === undefined ? [] : await readLog(repository, choice);
  const noted = await commitsWithNotes(repository);
  const signed = commits.map((commit) => ({ commit, signals: authorshipSignals(commit, noted.has(commit.id)) }));
  const assisted = signed.filter(({ signals }) => signals.some(({ confidence }) => confidence !== 'low'));
  const unknown = signed.filter((each) => !assisted.includes(each));
  const reverted = revertedIn(commits);
  const shareOf = (some: typeof signed) =>
    share(
      some.map(({ commit }) => commit),
      reverted,
    );
  return {
    commits_analyzed: commits.length,
    assisted: shareOf(assisted),
    unknown: shareOf(unknown),
    by_tool: byTool(assisted),
    signals: bySignal(signed),
    latest: assisted
      .slice(0, LATEST)
      .map(({ commit, signals }) => ({ commit: commit.id, subject: commit.subject, signals })),
  };
}

interface Signed {
  commit: LoggedCommit;
  signals: AuthorshipSignal[];
}

function share(commits: readonly LoggedCommit[], reverted: ReadonlySet<string>): Share {
  const touchingSource = commits.filter(({ files }) => files.some(({ path }) => isSource(path)));
  const withTests = touchingSource.filter(({ files }) => files.some(({ path }) => isTestFile(path)));
  return {
    commits: commits.length,
    lines_added: commits.reduce((sum, { files }) => sum + linesAdded(files), 0),
    reverted: commits.filter(({ id }) => reverted.has(id)).length,
    with_tests: touchingSource.length === 0 ? null : withTests.length,
  };
}

const linesAdded = (files: LoggedCommit['files']) => files.reduce((sum, { added }) => sum + added, 0);

function revertedIn(commits: readonly LoggedCommit[]): Set<string> {
  return new Set(
    commits.flatMap(({ message }) => /^This reverts commit ([0-9a-f]{40,64})\b/m.exec(message)?.[1] ?? []),
  );
}

function byTool(assisted: readonly Signed[]): AiAnalysis['by_tool'] {
  const tools = new Map<string, AiAnalysis['by_tool'][number]>();
  for (const { commit, signals } of assisted) {
    for (const tool of new Set(signals.filter(({ confidence }) => confidence !== 'low').map((signal) => signal.tool))) {
      const confidence = strongest(signals.filter((signal) => signal.tool === tool));
      const sofar = tools.get(tool) ?? { tool, commits: 0, lines_added: 0, confidence };
      tools.set(tool, {
        tool,
        commits: sofar.commits + 1,
        lines_added: sofar.lines_added + linesAdded(commit.files),
        // The weakest link: a count is no better than its least certain commit.
        confidence: ranks[confidence] < ranks[sofar.confidence] ? confidence : sofar.confidence,
      });
    }
  }
  return [...tools.values()].sort((a, b) => b.commits - a.commits || (a.tool < b.tool ? -1 : 1));
}

function strongest(signals: readonly AuthorshipSignal[]): AuthorshipSignal['confidence'] {
  return signals.map(({ confidence }) => confidence).sort((a, b) => ranks[b] - ranks[a])[0] ?? 'low';
}

function bySignal(signed: readonly Signed[]): AiAnalysis['signals'] {
  const counts = new Map<string, AiAnalysis['signals'][number]>();
  for (const { signals } of signed)
    for (const { signal, confidence } of signals) {
      const sofar = counts.get(`${signal} ${confidence}`) ?? { signal, confidence, commits: 0 };
      counts.set(`${signal} ${confidence}`, { ...sofar, commits: sofar.commits + 1 });
    }
  return [...counts.values()].sort((a, b) => b.commits - a.commits || (a.signal < b.signal ? -1 : 1));
}
