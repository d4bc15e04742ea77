import { createHash } from 'node:crypto';
import { invalid, ownProject } from '../access.ts';
import { checkSite } from '../projects/projects.ts';
import type { QaRoom } from '../room.ts';
import type { Candidate } from '../store/store.ts';

export const priorities = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;

interface Proposal {
  title: string;
  description: string;
  pageUrl?: string | undefined;
  notes?: string | undefined;
  userStory?: string | undefined;
  priority?: (typeof priorities)[number] | undefined;
  useCaseClass?: string | undefined;
  acceptanceCriteria?: readonly string[] | undefined;
}

/** What an agent knows and no scan has seen. Proposing the same title for the same page again changes the proposal. */
export async function proposeCandidate(room: QaRoom, projectId: string, proposal: Proposal): Promise<Candidate> {
  const project = await ownProject(room, projectId);
  const { store, owner } = room;
  const title = proposal.title.trim();
  if (title === '') throw invalid('title', 'title must not be blank.');
  const url = proposal.pageUrl === undefined ? project.url : checkSite('pageUrl', proposal.pageUrl);
  const fingerprint = `agent:${createHash('sha256')
    .update(`${title.toLowerCase()}\n${url ?? ''}`)
    .digest('hex')}`;
  const facts = {
    title,
    description: proposal.description.trim(),
    userStory: proposal.userStory?.trim() || null,
    url,
    priority: proposal.priority ?? 'MEDIUM',
    class: proposal.useCaseClass ?? 'custom',
    breakdown: (proposal.acceptanceCriteria ?? []).map((criterion) => ({
      requirement: title,
      acceptanceCriteria: criterion,
    })),
  };
  const known = await store.candidates.first({ projectId, fingerprint });
  const candidate = known
    ? ((await store.candidates.update(known.id, {
        ...facts,
        ...(known.status === 'dropped' && { status: 'candidate' }),
      })) ?? known)
    : await store.candidates.insert({
        ...{ owner, projectId, fingerprint, ...facts },
        ...{ status: 'candidate', source: 'agent', confidence: 1, rank: 1, requirements: [], details: null },
      });
  await note(room, candidate, proposal.notes ?? 'Proposed by an agent.');
  return candidate;
}

async function note({ store, owner }: QaRoom, { id, projectId, url }: Candidate, notes: string): Promise<void> {
  const before = await store.evidence.list({ candidateId: id });
  if (before.some((one) => one.notes === notes)) return;
  const position = before.length;
  await store.evidence.insert({ owner, projectId, candidateId: id, position, pageUrl: url ?? '', notes });
}
