import { isSourceFile, isTestFile } from '../evidence/code-files.ts';
import type { ProjectRepository } from '../git/repository.ts';
import { type LoggedCommit, readGitLog } from '../history/git-log.ts';
import { listCommitsWithAiNotes } from './ai-notes.ts';
import { findAuthorshipSignals } from './authorship.ts';
import type { AuthorshipSignal } from './chain-entry.ts';

type AuthorshipShare = {
  commits: number;
  lines_added: number;
  /** Commits that later ones revert by id. */
  reverted: number;
  /** Commits that touch sources and tests; null if none touches sources. */
  with_tests: number | null;
};

export type AiAnalysis = {
  commits_analyzed: number;
  assisted: AuthorshipShare;
  /** Without signs, which does not mean written by a person. */
  unknown: AuthorshipShare;
  by_tool: { tool: string; commits: number; lines_added: number; confidence: AuthorshipSignal['confidence'] }[];
  signals: { signal: string; confidence: AuthorshipSignal['confidence']; commits: number }[];
  latest: { commit: string; subject: string; signals: AuthorshipSignal[] }[];
};

const MAX_COMMITS = 5000;
const MAX_LATEST = 10;
const ranks = { high: 3, medium: 2, low: 1 };

/** Counts commits with signs of AI in the latest history. A mere mention of a tool is listed but does not count as assisted. */
export async function analyzeAiAuthorship(repository: ProjectRepository): Promise<AiAnalysis> {
  const choice = ['--no-merges', `--max-count=${MAX_COMMITS}`, '--numstat', 'HEAD', '--'];
  const commits = repository.head === undefined ? [] : await readGitLog(repository, choice);
  const commitsWithNotes = await listCommitsWithAiNotes(repository);
  const signed = commits.map((commit) => ({
    commit,
    signals: findAuthorshipSignals(commit, commitsWithNotes.has(commit.id)),
  }));
  const assisted = signed.filter(({ signals }) => signals.some(({ confidence }) => confidence !== 'low'));
  const unknown = signed.filter((each) => !assisted.includes(each));
  const reverted = findReverted(commits);
  const shareOf = (some: typeof signed) =>
    summarizeCommits(
      some.map(({ commit }) => commit),
      reverted,
    );
  return {
    commits_analyzed: commits.length,
    assisted: shareOf(assisted),
    unknown: shareOf(unknown),
    by_tool: countByTool(assisted),
    signals: countBySignal(signed),
    latest: assisted
      .slice(0, MAX_LATEST)
      .map(({ commit, signals }) => ({ commit: commit.id, subject: commit.subject, signals })),
  };
}

interface CommitSignals {
  commit: LoggedCommit;
  signals: AuthorshipSignal[];
}

function summarizeCommits(commits: readonly LoggedCommit[], reverted: ReadonlySet<string>): AuthorshipShare {
  const touchingSource = commits.filter(({ files }) => files.some(({ path }) => isSourceFile(path)));
  const withTests = touchingSource.filter(({ files }) => files.some(({ path }) => isTestFile(path)));
  return {
    commits: commits.length,
    lines_added: commits.reduce((sum, { files }) => sum + linesAdded(files), 0),
    reverted: commits.filter(({ id }) => reverted.has(id)).length,
    with_tests: touchingSource.length === 0 ? null : withTests.length,
  };
}

const linesAdded = (files: LoggedCommit['files']) => files.reduce((sum, { added }) => sum + added, 0);

function findReverted(commits: readonly LoggedCommit[]): Set<string> {
  return new Set(
    commits.flatMap(({ message }) => /^This reverts commit ([0-9a-f]{40,64})\b/m.exec(message)?.[1] ?? []),
  );
}

function countByTool(assisted: readonly CommitSignals[]): AiAnalysis['by_tool'] {
  const tools = new Map<string, AiAnalysis['by_tool'][number]>();
  for (const { commit, signals } of assisted) {
    for (const tool of new Set(signals.filter(({ confidence }) => confidence !== 'low').map((signal) => signal.tool))) {
      const confidence = highestConfidence(signals.filter((signal) => signal.tool === tool));
      const total = tools.get(tool) ?? { tool, commits: 0, lines_added: 0, confidence };
      tools.set(tool, {
        tool,
        commits: total.commits + 1,
        lines_added: total.lines_added + linesAdded(commit.files),
        // A count is no more certain than its least certain commit.
        confidence: ranks[confidence] < ranks[total.confidence] ? confidence : total.confidence,
      });
    }
  }
  return [...tools.values()].sort((a, b) => b.commits - a.commits || (a.tool < b.tool ? -1 : 1));
}

function highestConfidence(signals: readonly AuthorshipSignal[]): AuthorshipSignal['confidence'] {
  return signals.map(({ confidence }) => confidence).sort((a, b) => ranks[b] - ranks[a])[0] ?? 'low';
}

function countBySignal(signed: readonly CommitSignals[]): AiAnalysis['signals'] {
  const counts = new Map<string, AiAnalysis['signals'][number]>();
  for (const { signals } of signed)
    for (const { signal, confidence } of signals) {
      const sofar = counts.get(`${signal} ${confidence}`) ?? { signal, confidence, commits: 0 };
      counts.set(`${signal} ${confidence}`, { ...sofar, commits: sofar.commits + 1 });
    }
  return [...counts.values()].sort((a, b) => b.commits - a.commits || (a.signal < b.signal ? -1 : 1));
}
