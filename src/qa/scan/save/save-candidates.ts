import type { QaRun, RunContext } from '../../runs/run-context.ts';
import type { ProjectSecrets } from '../../secrets/project-secrets.ts';
import { mapStrings } from '../../secrets/secret-placeholders.ts';
import type { Candidate, QaRepositories } from '../../store/qa-store.ts';
import type { RowChanges } from '../../store/repository.ts';
import type { RequirementGap, RequirementMatches } from '../recognise/match-requirements.ts';
import { CANDIDATE_FROM, type RecognisedUseCase } from '../recognise/recognise-use-cases.ts';
import type { UseCaseClass } from '../use-case-classes.ts';
import type { SignIn, UseCaseEvidence } from '../use-case-evidence.ts';

const MOST_COMMENTS = 3;

/** Classes whose failure is critical for a business. */
const criticalClasses: readonly UseCaseClass[] = [
  'login',
  'sign-up',
  'checkout',
  'add-to-cart',
  'wizard',
  'booking',
  'create',
];
const minorClasses: readonly UseCaseClass[] = [
  'consent',
  'language',
  'navigation',
  'faq',
  'sort',
  'pagination',
  'feedback',
];

export interface SavedCounts {
  candidates: number;
  drafts: number;
  added: number;
  merged: number;
}

/** Archives undecided candidates. A scan that finds one again reopens it. */
export async function archiveUnapprovedCandidates(
  { store }: Pick<RunContext, 'store'>,
  projectId: string,
): Promise<number> {
  const open = await store.candidates.list({ projectId, status: ['draft', 'candidate'] });
  let archived = 0;
  // The status in the condition spares a candidate that is approved concurrently.
  for (const { id, status, details } of open)
    archived += await store.candidates.updateAll(
      { id, status },
      { status: 'dropped', details: { ...asObject(details), archived: true } },
    );
  return archived;
}

/** Stores recognised use cases as candidates. Candidates of earlier scans are updated, whatever their status. */
export async function saveCandidates(
  { store, secrets }: Pick<RunContext, 'store' | 'secrets'>,
  run: QaRun,
  found: readonly RecognisedUseCase[],
  { weighed, signIn }: { weighed: RequirementMatches; signIn: SignIn | null },
): Promise<SavedCounts> {
  const saved: SavedCounts = { candidates: 0, drafts: 0, added: 0, merged: 0 };
  const ranked = found.map((one) => ({ one, rank: rankOf(one, weighed) })).sort((a, b) => b.rank - a.rank);
  await store.transaction(async (tables) => {
    // Locks the project row: a concurrent scan of the project waits here and finds these rows.
    await tables.projects.updateAll({ id: run.projectId }, {});
    const at = Date.now();
    for (const [index, { one, rank }] of ranked.entries()) {
      const { url, details, title, description, userStory, breakdown, ...plain } = candidateColumns(one, {
        ...{ rank, weighed, signIn, runId: run.id },
      });
      const words = mapStrings({ title, description, userStory, breakdown }, secrets.redactor.text);
      const facts = { ...plain, ...words, ...secrets.placeholders.hide({ url, details }) };
      const isLikely = one.confidence >= CANDIDATE_FROM;
      saved[isLikely ? 'candidates' : 'drafts']++;
      const before = await tables.candidates.first({ projectId: run.projectId, fingerprint: one.identity });
      saved[before ? 'merged' : 'added']++;
      const candidate = before
        ? await updateCandidate(tables, before, facts, isLikely)
        : await tables.candidates.insert({
            ...{ owner: run.owner, projectId: run.projectId, fingerprint: one.identity, ...facts },
            status: isLikely ? 'candidate' : 'draft',
            // Creation times keep the order of the ranks.
            createdAt: at + index,
          });
      if (candidate) await replaceComments(tables, run, candidate, one, secrets);
    }
    await saveGaps(tables, run, mapStrings(weighed.gaps, secrets.redactor.text));
  });
  return saved;
}

/** The status in the condition keeps a concurrent decision. */
async function updateCandidate(
  { candidates }: QaRepositories,
  before: Candidate,
  facts: RowChanges<Candidate>,
  isLikely: boolean,
): Promise<Candidate | undefined> {
  const status = nextStatus(before, isLikely);
  if (status !== before.status) await candidates.updateAll({ id: before.id, status: before.status }, { status });
  return candidates.update(before.id, facts);
}

/** Decisions stay; a candidate that a scan archived is reopened. */
function nextStatus({ status, details }: Candidate, isLikely: boolean): string {
  const isArchived = status === 'dropped' && asObject(details)['archived'] === true;
  if (status === 'graduated' || status === 'candidate' || (status === 'dropped' && !isArchived)) return status;
  return isLikely ? 'candidate' : 'draft';
}

function rankOf(one: RecognisedUseCase, { interest }: RequirementMatches): number {
  const weight = criticalClasses.includes(one.class) ? 0.2 : minorClasses.includes(one.class) ? 0 : 0.1;
  return Math.round((one.confidence * 0.4 + (interest.get(one) ?? 0) * 0.4 + weight) * 1000) / 1000;
}

interface CandidateInput {
  rank: number;
  weighed: RequirementMatches;
  signIn: SignIn | null;
  runId: string;
}

function candidateColumns(one: RecognisedUseCase, { rank, weighed, signIn, runId }: CandidateInput) {
  const asked = weighed.interest.get(one) ?? 0;
  const priority =
    criticalClasses.includes(one.class) || asked > 0.5 ? 'HIGH' : minorClasses.includes(one.class) ? 'LOW' : 'MEDIUM';
  const details = toUseCaseEvidence(one, signIn);
  return {
    ...{ title: one.title, description: one.description, class: one.class, confidence: one.confidence },
    ...{ rank, priority, runId, source: 'CRAWLER', url: details.entryUrl },
    userStory: `As a ${details.needsLogin ? 'user who is logged in' : 'visitor'}, I want to ${lowerFirst(one.title)}.`,
    breakdown: one.acceptance.map(([requirement, acceptanceCriteria]) => ({ requirement, acceptanceCriteria })),
    requirements: [...new Set(weighed.answers.get(one) ?? [])],
    // A JSON round trip drops undefined values.
    details: JSON.parse(JSON.stringify(details)),
  };
}

function toUseCaseEvidence(one: RecognisedUseCase, signIn: SignIn | null): UseCaseEvidence {
  const [page] = one.pages;
  if (!page) throw new Error('what was recognised was seen on a page');
  const needsLogin = one.pages.every(({ behindLogin }) => behindLogin);
  return {
    ...{ class: one.class, identity: one.identity, confidence: one.confidence, everywhere: one.everywhere },
    entryUrl: page.state.url,
    state: page.state,
    needsLogin,
    signIn: needsLogin || one.class === 'login' ? signIn : null,
    steps: [
      { action: 'navigate', url: page.state.url },
      ...page.opened.map((target) => ({ action: 'click' as const, target })),
    ],
    ...{ form: one.form, controls: one.controls, signals: one.signals, expected: [...one.expected] },
    stages: page.setting.stage?.names ?? [],
  };
}

/** Replaces the comments of a candidate by those of this scan. */
async function replaceComments(
  tables: QaRepositories,
  { id: runId, owner, projectId }: QaRun,
  { id: candidateId }: Candidate,
  one: RecognisedUseCase,
  { redactor, placeholders }: ProjectSecrets,
): Promise<void> {
  await tables.evidence.removeAll({ candidateId });
  const pages = one.pages.slice(0, MOST_COMMENTS);
  await tables.evidence.insertAll(
    pages.map((page, position) => ({
      ...{ owner, projectId, candidateId, runId, position },
      pageUrl: placeholders.hide(page.state.url),
      artifactId: page.artifactId,
      notes: redactor.text(commentText(one, position === 0, one.pages.length)),
    })),
  );
}

function commentText(one: RecognisedUseCase, isFirst: boolean, pages: number): string {
  if (!isFirst) return 'Seen here too.';
  const fields = one.form?.fields.filter(({ hidden }) => !hidden) ?? [];
  const needed = fields.filter(({ required }) => required).length;
  const form = one.form
    ? ` A form (${one.form.method.toUpperCase()} ${one.form.action || 'in the page'}) with ${fields.length} fields, ${needed} required.`
    : '';
  const where = one.everywhere ? ' It stands on every page.' : pages > 1 ? ` Seen on ${pages} kinds of pages.` : '';
  return `Found ${one.signals.join('; ')}.${form}${where}`;
}

async function saveGaps(
  tables: QaRepositories,
  { id: runId, owner, projectId }: QaRun,
  gaps: readonly RequirementGap[],
): Promise<void> {
  await tables.gaps.removeAll({ projectId });
  await tables.gaps.insertAll(
    gaps.map(({ requirementId, ref, text, reason }, position) => ({
      ...{ owner, projectId, runId, position, requirementId, ref, text, reason },
    })),
  );
}

function asObject(details: Candidate['details']): { [key: string]: Candidate['details'] } {
  return typeof details === 'object' && details !== null && !Array.isArray(details) ? details : {};
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
