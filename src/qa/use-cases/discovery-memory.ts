import { localIssuer } from '../../platform/principal.ts';
import { requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { artifactUri } from '../runs/run-artifacts.ts';
import { SCAN_JOB_KIND } from '../runs/run-kinds.ts';
import type { Artifact, Candidate, Evidence, Gap, QaStore } from '../store/qa-store.ts';
import type { PageRequest, ResultPage } from '../store/result-page.ts';

export const candidateStatuses = ['draft', 'candidate', 'graduated', 'dropped'] as const;
export type CandidateStatus = (typeof candidateStatuses)[number];

export interface CandidateComment {
  pageUrl: string;
  notes: string;
  /** Resource URI of the screenshot. */
  screenshotUrl?: string;
  /** Path of the screenshot, for local callers. */
  screenshotFile?: string;
}

export interface CandidateWithComments {
  candidate: Candidate;
  comments: CandidateComment[];
}

type UnmetRequirement = Pick<Gap, 'requirementId' | 'ref' | 'text' | 'reason'>;

interface DiscoveryMemory {
  candidates: ResultPage<CandidateWithComments>;
  gaps: UnmetRequirement[];
  requirements: { total: number; gaps: number };
}

/** Candidates of scans and agents, best first, and the gaps. */
export async function readDiscoveryMemory(
  qa: QaContext,
  projectId: string,
  statuses: readonly CandidateStatus[] | undefined,
  request: PageRequest,
): Promise<DiscoveryMemory> {
  await requireProject(qa, projectId);
  const { store } = qa;
  const [page, found, total] = await Promise.all([
    store.candidates.page({ projectId, status: statuses }, request),
    store.gaps.list({ projectId }),
    store.requirements.count({ projectId }),
  ]);
  const gaps = [...found, ...(await requirementsSinceScan(store, projectId, found))];
  const comments = await listComments(
    qa,
    page.data.map(({ id }) => id),
  );
  return {
    candidates: {
      ...page,
      data: page.data.map((candidate) => ({ candidate, comments: comments.get(candidate.id) ?? [] })),
    },
    gaps,
    requirements: { total, gaps: gaps.filter(({ requirementId }) => requirementId !== null).length },
  };
}

/** Requirements that are newer than the last scan. */
async function requirementsSinceScan(
  store: QaStore,
  projectId: string,
  known: readonly Gap[],
): Promise<UnmetRequirement[]> {
  const scans = await Promise.all(
    ['succeeded', 'cancelled'].map((status) => store.runs.newest({ projectId, kind: SCAN_JOB_KIND, status })),
  );
  const since = Math.max(...scans.map((scan) => scan?.startedAt ?? 0));
  const younger = (await store.requirements.list({ projectId })).filter(({ createdAt }) => createdAt > since);
  if (younger.length === 0) return [];
  // A resumed scan reads the requirements again.
  const answered = (await store.candidates.list({ projectId })).flatMap(({ requirements }) => requirements);
  const sought = new Set([...answered, ...known.map(({ requirementId }) => requirementId)]);
  return younger
    .filter(({ id }) => !sought.has(id))
    .map(({ id, ref, text }) => ({ requirementId: id, ref, text, reason: 'No scan has looked for it yet.' }));
}

/** Comments by candidate id. */
export async function listComments(qa: QaContext, candidateIds: string[]): Promise<Map<string, CandidateComment[]>> {
  const evidence = await qa.store.evidence.list({ candidateId: candidateIds });
  const artifacts = await qa.store.artifacts.list({ id: evidence.flatMap(({ artifactId }) => artifactId ?? []) });
  const pictures = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
  const comments = new Map<string, CandidateComment[]>();
  for (const one of evidence) {
    const list = comments.get(one.candidateId) ?? [];
    list.push(toComment(qa, one, pictures.get(one.artifactId ?? '')));
    comments.set(one.candidateId, list);
  }
  return comments;
}

function toComment(
  { artifacts, principal }: QaContext,
  { pageUrl, notes }: Evidence,
  picture: Artifact | undefined,
): CandidateComment {
  const path = picture && artifacts.localPath(picture.file);
  return {
    pageUrl,
    notes,
    ...(picture && { screenshotUrl: artifactUri(picture) }),
    ...(path !== undefined && principal.issuer === localIssuer && { screenshotFile: path }),
  };
}
