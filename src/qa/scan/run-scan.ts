import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import type { NewArtifact } from '../runs/run-artifacts.ts';
import type { QaRun, RunContext, RunHandler } from '../runs/run-context.ts';
import { newUsageMeter } from '../runs/usage-meter.ts';
import { crawlSite, SITE_EXHAUSTED } from './crawl/crawl-site.ts';
import { type Crawl, crawlLimits, crawlRecord, createCrawl, emptyCrawl } from './crawl/crawl-state.ts';
import { readSitemapUrls } from './crawl/sitemap.ts';
import { openGuardedContext } from './guard/guarded-context.ts';
import { projectSite } from './project-site.ts';
import {
  matchRequirements,
  requirementFilter,
  type ScanRequirement,
  splitRequirements,
} from './recognise/match-requirements.ts';
import { type RecognisedUseCase, recogniseUseCases } from './recognise/recognise-use-cases.ts';
import { archiveUnapprovedCandidates, saveCandidates } from './save/save-candidates.ts';
import { normaliseUrl } from './site-urls.ts';
import { isSameSite, resolveStartUrl } from './start-url.ts';

/** Payload of a scan job. */
export const siteScanPayload = z.object({
  url: z.string(),
  description: z.string(),
  archiveUnapproved: z.boolean(),
  allowLogin: z.boolean().default(false),
  limits: crawlLimits,
});

/** Scans a site and stores the use cases that it finds. */
export const runScan: RunHandler = async (run, runContext) => {
  const payload = siteScanPayload.parse(run.runtime.payload);
  const asked = normaliseUrl(payload.url);
  if (!asked) throw new Failure('bad_input', 'INVALID_ARGUMENT', 'The URL to scan must be an http or https URL.');
  const record = crawlRecord.safeParse(run.checkpoint).data ?? emptyCrawl();
  const requirements = await requirementsToMatch(run, runContext, payload.description);
  const start = await resolveStartUrl(asked, runContext.inside, runContext.signal);
  const crawl = createCrawl(record, start.origin, payload.limits, requirementFilter(requirements));
  const began = performance.now();
  const meter = newUsageMeter();
  const seconds = () => record.seconds + (performance.now() - began) / 1000;
  let endReason: string;
  try {
    await using guarded = await openGuardedContext(await runContext.browsers(), {
      origin: start.origin,
      inside: runContext.inside,
      signal: runContext.signal,
      isSecret: runContext.secrets.holdsCredential,
    });
    const onFirstPage = async () => {
      // Earlier candidates are archived only after the site has answered.
      if (payload.archiveUnapproved && !record.archived) await archiveUnapprovedCandidates(runContext, run.projectId);
      record.archived = true;
      await runContext.checkpoint(JSON.parse(JSON.stringify(crawl.toRecord(seconds()))));
    };
    const readSitemap = (origin: string) => readSitemapUrls(origin, runContext.inside, runContext.signal);
    const keep = async (artifact: NewArtifact) => {
      const kept = await runContext.saveArtifact(artifact);
      meter.screenshots++;
      meter.bytes += kept.fileSize;
      return kept;
    };
    endReason = await crawlSite({
      ...{
        runContext: { ...runContext, saveArtifact: keep },
        crawl,
        guarded,
        start,
        limits: payload.limits,
        meter,
        seconds,
        onFirstPage,
        readSitemap,
        loginRefusal: payload.allowLogin ? undefined : await loginRefusal(run, runContext, start),
      },
    });
    if (guarded.blockedRequests() > 0)
      crawl.note(`${guarded.blockedRequests()} requests that would have changed something were blocked.`);
    if (guarded.blockedByOriginLock() > 0)
      crawl.note(`${guarded.blockedByOriginLock()} requests to other sites were blocked during the login.`);
  } catch (error) {
    // A cancelled scan saves what it has found so far.
    if (runContext.isCancelled())
      await saveOutcome(run, runContext, { crawl, requirements, endReason: 'it was cancelled' });
    throw runContext.signal.aborted ? runContext.signal.reason : error;
  } finally {
    await runContext.charge({ ...meter, browserMs: performance.now() - began });
  }
  const saved = await saveOutcome(run, runContext, { crawl, requirements, endReason });
  return {
    result: {
      url: start.href,
      pages: record.visits,
      states: crawl.states.count(),
      seconds: Math.round(seconds() * 10) / 10,
      loggedIn: crawl.signIn() !== null,
      ended: endReason,
      ...saved,
      notes: record.notes,
    },
  };
};

/**
 * Secrets are typed only into the site of the project, unless `allowLogin` is set. Returns the note for other sites.
 */
async function loginRefusal({ project }: QaRun, { store }: RunContext, start: URL): Promise<string | undefined> {
  const site = await projectSite(store, project);
  if (site && isSameSite(site, start)) return undefined;
  return `The login form was not used: the secrets of the project belong to ${site?.origin}, and this is ${start.origin}. Change the url of the project, or scan with allowLogin.`;
}

/** Requirements from the description, the project and its documents. */
async function requirementsToMatch(
  { projectId, project }: QaRun,
  { store }: RunContext,
  description: string,
): Promise<ScanRequirement[]> {
  const requirements = await store.requirements.list({ projectId });
  return [
    ...splitRequirements([description, project.testRequirements]),
    ...requirements.map(({ id, ref, text }) => ({ text, ref, requirementId: id })),
  ];
}

/** Notes on forms that no class matches. */
function unrecognisedNotes(found: readonly RecognisedUseCase[], pages: number): string[] {
  if (found.length === 0)
    return [`No known use case was found on ${pages === 1 ? 'the one page' : `these ${pages} pages`}.`];
  const strange = found.filter((one) => one.class === 'submit');
  if (strange.length === 0) return [];
  const where = strange.slice(0, 5).map((one) => one.pages[0]?.state.template ?? '');
  const how = 'describe them with qa_use_case_candidate_propose.';
  return [`Forms of an unknown class are saved as drafts (${where.join(', ')}): ${how}`];
}

interface ScanOutcome {
  crawl: Crawl;
  requirements: readonly ScanRequirement[];
  /** Why the crawl ended. */
  endReason: string;
}

async function saveOutcome(run: QaRun, runContext: RunContext, { crawl, requirements, endReason }: ScanOutcome) {
  const pages = crawl.settledPages();
  const found = recogniseUseCases(pages);
  for (const note of unrecognisedNotes(found, pages.length)) crawl.note(note);
  const weighed = matchRequirements(found, requirements, pages, endReason === SITE_EXHAUSTED ? undefined : endReason);
  const saved = await saveCandidates(runContext, run, found, { weighed, signIn: crawl.signIn() });
  return { ...saved, gaps: weighed.gaps.map(({ text, reason }) => `${text}: ${reason}`).slice(0, 20) };
}
