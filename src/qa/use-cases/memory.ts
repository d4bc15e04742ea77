import { localIssuer } from '../../platform/principal.ts';
import { ownProject } from '../access.ts';
import type { QaRoom } from '../room.ts';
import { artifactPath, artifactUri } from '../runs/artifacts.ts';
import type { Page, PageRequest } from '../store/page.ts';
import type { Artifact, Candidate, Evidence, Gap } from '../store/store.ts';

export const candidateStatuses = ['draft', 'candidate', 'graduated', 'dropped'] as const;
export type CandidateStatus = (typeof candidateStatuses)[number];

export interface Comment {
  pageUrl: string;
  notes: string;
  /** By which clients read the picture. */
  screenshotUrl?: string;
  /** The same as a file, for the user of this machine. */
  screenshotFile?: string;
}

export interface RememberedCandidate {
  candidate: Candidate;
  comments: Comment[];
}

interface Memory {
  candidates: Page<RememberedCandidate>;
  gaps: Gap[];
  requirements: { total: number; gaps: number };
}

/** What scans have found and agents have proposed, best first, and what was asked for and not found. */
export async function discoveryMemory(
  room: QaRoom,
  projectId: string,
  statuses: readonly CandidateStatus[] | undefined,
  request: PageRequest,
): Promise<Memory> {
  await ownProject(room, projectId);
  const { store } = room;
  const [page, gaps, total] = await Promise.all([
    store.candidates.page({ projectId, status: statuses }, request),
    store.gaps.list({ projectId }),
    store.requirements.count({ projectId }),
  ]);
  const comments = await commentsOn(
    room,
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

/** The comments on each of these candidates. */
export async function commentsOn(room: QaRoom, candidateIds: string[]): Promise<Map<string, Comment[]>> {
  const evidence = await room.store.evidence.list({ candidateId: candidateIds });
  const artifacts = await room.store.artifacts.list({ id: evidence.flatMap(({ artifactId }) => artifactId ?? []) });
  const pictures = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
  const comments = new Map<string, Comment[]>();
  for (const one of evidence) {
    const list = comments.get(one.candidateId) ?? [];
    list.push(asComment(room, one, pictures.get(one.artifactId ?? '')));
    comments.set(one.candidateId, list);
  }
  return comments;
}

function asComment({ home, principal }: QaRoom, { pageUrl, notes }: Evidence, picture: Artifact | undefined): Comment {
  return {
    pageUrl,
    notes,
    ...(picture && { screenshotUrl: artifactUri(picture) }),
    ...(picture && principal.issuer === localIssuer && { screenshotFile: artifactPath(home, picture) }),
  };
}
