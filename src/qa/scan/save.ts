import type { QaRun, RunContext } from '../runs/run-context.ts';
import { everyString } from '../secrets/places.ts';
import type { ProjectSecrets } from '../secrets/project-secrets.ts';
import type { Candidate, QaRepositories } from '../store/qa-store.ts';
import type { RowChanges } from '../store/repository.ts';
import type { UseCaseClass } from './classes.ts';
import type { SignIn, UseCaseEvidence } from './evidence.ts';
import { CANDIDATE_FROM, type Recognised } from './recognise.ts';
import type { UnmetWish, Weighed } from './wishes.ts';

const MOST_COMMENTS = 3;

/** What breaks a business when it breaks. */
const weighty: readonly UseCaseClass[] = ['login', 'sign-up', 'checkout', 'add-to-cart', 'wizard', 'booking', 'create'];
const light: readonly UseCaseClass[] = ['consent', 'language', 'navigation', 'faq', 'sort', 'pagination', 'feedback'];

export interface Saved {
  candidates: number;
  drafts: number;
  added: number;
  merged: number;
}

/** Takes what nobody approved out of the way, before a scan that wants to begin afresh. What is found again comes back. */
export async function archiveUnapproved({ store }: Pick<RunContext, 'store'>, projectId: string): Promise<number> {
  const open = await store.candidates.list({ projectId, status: ['draft', 'candidate'] });
  let archived = 0;
  // Unless somebody approves it just now.
  for (const { id, status, details } of open)
    archived += await store.candidates.updateAll(
      { id, status },
      { status: 'dropped', details: { ...asObject(details), archived: true } },
    );
  return archived;
}

/** Writes down what was found. What an earlier scan had found is brought up to date, whatever became of it. */
export async function saveFound(
  { store, secrets }: Pick<RunContext, 'store' | 'secrets'>,
  run: QaRun,
  found: readonly Recognised[],
  { weighed, signIn }: { weighed: Weighed; signIn: SignIn | null },
): Promise<Saved> {
  const saved: Saved = { candidates: 0, drafts: 0, added: 0, merged: 0 };
  const ranked = found.map((one) => ({ one, rank: rankOf(one, weighed) })).sort((a, b) => b.rank - a.rank);
  await store.transaction(async (tables) => {
    // Whoever saves for the same project at the same moment waits here, and finds what this scan has added.
    await tables.projects.updateAll({ id: run.projectId }, {});
    const at = Date.now();
    for (const [index, { one, rank }] of ranked.entries()) {
      const { url, details, title, description, userStory, breakdown, ...plain } = factsOf(one, {
        ...{ rank, weighed, signIn, runId: run.id },
      });
      const words = everyString({ title, description, userStory, breakdown }, secrets.redactor.text);
      const facts = { ...plain, ...words, ...secrets.places.hide({ url, details }) };
      const isLikely = one.confidence >= CANDIDATE_FROM;
      saved[isLikely ? 'candidates' : 'drafts']++;
      const before = await tables.candidates.first({ projectId: run.projectId, fingerprint: one.identity });
      saved[before ? 'merged' : 'added']++;
      const candidate = before
        ? await bringUpToDate(tables, before, facts, isLikely)
        : await tables.candidates.insert({
            ...{ owner: run.owner, projectId: run.projectId, fingerprint: one.identity, ...facts },
            status: isLikely ? 'candidate' : 'draft',
            // In the order of their rank, best first.
            createdAt: at + index,
          });
      if (candidate) await comment(tables, run, candidate, one, secrets);
    }
    await saveGaps(tables, run, everyString(weighed.gaps, secrets.redactor.text));
  });
  return saved;
}

/** Whoever decides on it while it is written down has decided. */
async function bringUpToDate(
  { candidates }: QaRepositories,
  before: Candidate,
  facts: RowChanges<Candidate>,
  isLikely: boolean,
): Promise<Candidate | undefined> {
  const status = statusAfter(before, isLikely);
  if (status !== before.status) await candidates.updateAll({ id: before.id, status: before.status }, { status });
  return candidates.update(before.id, facts);
}

/** Somebody's decision stands; what a scan archived, and a later one finds, is open again. */
function statusAfter({ status, details }: Candidate, isLikely: boolean): string {
  const isArchived = status === 'dropped' && asObject(details)['archived'] === true;
  if (status === 'graduated' || status === 'candidate' || (status === 'dropped' && !isArchived)) return status;
  return isLikely ? 'candidate' : 'draft';
}

function rankOf(one: Recognised, { interest }: Weighed): number {
  const weight = weighty.includes(one.class) ? 0.2 : light.includes(one.class) ? 0 : 0.1;
  return Math.round((one.confidence * 0.4 + (interest.get(one) ?? 0) * 0.4 + weight) * 1000) / 1000;
}

interface Found {
  rank: number;
  weighed: Weighed;
  signIn: SignIn | null;
  runId: string;
}

function factsOf(one: Recognised, { rank, weighed, signIn, runId }: Found) {
  const asked = weighed.interest.get(one) ?? 0;
  const priority = weighty.includes(one.class) || asked > 0.5 ? 'HIGH' : light.includes(one.class) ? 'LOW' : 'MEDIUM';
  const details = evidenceOf(one, signIn);
  return {
    ...{ title: one.title, description: one.description, class: one.class, confidence: one.confidence },
    ...{ rank, priority, runId, source: 'CRAWLER', url: details.entryUrl },
    userStory: `As a ${details.needsLogin ? 'user who is logged in' : 'visitor'}, I want to ${lowered(one.title)}.`,
    breakdown: one.accepts.map(([requirement, acceptanceCriteria]) => ({ requirement, acceptanceCriteria })),
    requirements: [...new Set(weighed.answers.get(one) ?? [])],
    // The same data as JSON knows it: what is not there is left out.
    details: JSON.parse(JSON.stringify(details)),
  };
}

function evidenceOf(one: Recognised, signIn: SignIn | null): UseCaseEvidence {
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

/** The comments of a candidate are those of the newest scan that saw it. */
async function comment(
  tables: QaRepositories,
  { id: runId, owner, projectId }: QaRun,
  { id: candidateId }: Candidate,
  one: Recognised,
  { redactor, places }: ProjectSecrets,
): Promise<void> {
  await tables.evidence.removeAll({ candidateId });
  const pages = one.pages.slice(0, MOST_COMMENTS);
  await tables.evidence.insertAll(
    pages.map((page, position) => ({
      ...{ owner, projectId, candidateId, runId, position },
      pageUrl: places.hide(page.state.url),
      artifactId: page.artifactId,
      notes: redactor.text(notesOn(one, position === 0, one.pages.length)),
    })),
  );
}

function notesOn(one: Recognised, isFirst: boolean, pages: number): string {
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
  gaps: readonly UnmetWish[],
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

function lowered(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
