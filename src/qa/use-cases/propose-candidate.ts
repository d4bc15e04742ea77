import { createHash } from 'node:crypto';
import { invalidArgument, requireProject } from '../owned-rows.ts';
import { checkSiteUrl, secretInUrl } from '../projects/projects.ts';
import type { QaContext } from '../qa-context.ts';
import { openProjectSecrets } from '../secrets/project-secrets.ts';
import { mapStrings } from '../secrets/secret-placeholders.ts';
import type { Candidate } from '../store/qa-store.ts';

export const candidatePriorities = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;

interface CandidateProposal {
  title: string;
  description: string;
  pageUrl?: string | undefined;
  notes?: string | undefined;
  userStory?: string | undefined;
  priority?: (typeof candidatePriorities)[number] | undefined;
  useCaseClass?: string | undefined;
  acceptanceCriteria?: readonly string[] | undefined;
}

/** Stores a candidate that an agent proposes. The same title and page update the proposal. */
export async function proposeCandidate(
  qa: Pick<QaContext, 'store' | 'owner' | 'vault'>,
  projectId: string,
  given: CandidateProposal,
): Promise<Candidate> {
  const project = await requireProject(qa, projectId);
  const { store, owner } = qa;
  const { redactor, holdsCredential } = await openProjectSecrets(store, qa.vault, projectId);
  if (given.pageUrl !== undefined && holdsCredential(given.pageUrl)) throw secretInUrl('pageUrl');
  const { pageUrl, priority, useCaseClass, ...texts } = given;
  const proposal = mapStrings(texts, redactor.text);
  const title = proposal.title.trim();
  if (title === '') throw invalidArgument('title', 'title must not be blank.');
  const url = pageUrl === undefined ? project.url : checkSiteUrl('pageUrl', pageUrl);
  const fingerprint = `agent:${createHash('sha256')
    .update(`${title.toLowerCase()}\n${url ?? ''}`)
    .digest('hex')}`;
  const facts = {
    title,
    description: proposal.description.trim(),
    userStory: proposal.userStory?.trim() || null,
    url,
    priority: priority ?? 'MEDIUM',
    class: useCaseClass ?? 'custom',
    breakdown: (proposal.acceptanceCriteria ?? []).map((criterion) => ({
      requirement: title,
      acceptanceCriteria: criterion,
    })),
  };
  const change = async () => {
    const known = await store.candidates.first({ projectId, fingerprint });
    const reopened = known?.status === 'dropped' ? { status: 'candidate' } : {};
    return known && ((await store.candidates.update(known.id, { ...facts, ...reopened })) ?? known);
  };
  const add = () =>
    store.candidates.insert({
      ...{ owner, projectId, fingerprint, ...facts },
      ...{ status: 'candidate', source: 'agent', confidence: 1, rank: 1, requirements: [], details: null },
    });
  const candidate =
    (await change()) ??
    (await add().catch(async (error: unknown) => {
      // A concurrent call may have proposed it.
      const made = await change();
      if (made) return made;
      throw error;
    }));
  await addNote(qa, candidate, proposal.notes ?? 'Proposed by an agent.');
  return candidate;
}

async function addNote(
  { store, owner }: Pick<QaContext, 'store' | 'owner'>,
  { id, projectId, url }: Candidate,
  notes: string,
): Promise<void> {
  const before = await store.evidence.list({ candidateId: id });
  if (before.some((one) => one.notes === notes)) return;
  const position = before.length;
  await store.evidence.insert({ owner, projectId, candidateId: id, position, pageUrl: url ?? '', notes });
}
