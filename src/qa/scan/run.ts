import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import type { NewArtifact } from '../runs/run-artifacts.ts';
import type { QaRun, RunContext, RunHandler } from '../runs/run-context.ts';
import { newUsageMeter } from '../runs/usage-meter.ts';
import { normalised } from './addresses.ts';
import { type Crawl, crawlRecord, createCrawl, limits, newCrawl } from './crawl.ts';
import { openGuarded } from './guarded-context.ts';
import { siteOf } from './project-site.ts';
import { type Recognised, recognise } from './recognise.ts';
import { archiveUnapproved, saveFound } from './save.ts';
import { sitemapPages } from './sitemap.ts';
import { isSameSite, startAddress } from './start-address.ts';
import { ALL_SEEN, walkThrough } from './walk.ts';
import { askingFor, type Wish, weigh, wishesIn } from './wishes.ts';

/** What a scan is told. */
export const scanPayload = z.object({
  url: z.string(),
  description: z.string(),
  archiveUnapproved: z.boolean(),
  allowLogin: z.boolean().default(false),
  limits,
});

/** Looks at a site and writes down the use cases that it finds. */
export const runScan: RunHandler = async (run, place) => {
  const payload = scanPayload.parse(run.runtime.payload);
  const asked = normalised(payload.url);
  if (!asked) throw new Failure('bad_input', 'INVALID_ARGUMENT', 'The address to scan is not one of the web.');
  const record = crawlRecord.safeParse(run.checkpoint).data ?? newCrawl();
  const wishes = await wishesOf(run, place, payload.description);
  const start = await startAddress(asked, place.inside, place.signal);
  const crawl = createCrawl(record, start.origin, payload.limits, askingFor(wishes));
  const began = performance.now();
  const meter = newUsageMeter();
  const seconds = () => record.seconds + (performance.now() - began) / 1000;
  let ended: string;
  try {
    await using guarded = await openGuarded(await place.browsers(), {
      origin: start.origin,
      inside: place.inside,
      signal: place.signal,
      isSecret: place.secrets.isKey,
    });
    const answered = async () => {
      // A site that does not answer costs nobody what was found before.
      if (payload.archiveUnapproved && !record.archived) await archiveUnapproved(place, run.projectId);
      record.archived = true;
      await place.checkpoint(JSON.parse(JSON.stringify(crawl.toRecord(seconds()))));
    };
    const sitemap = (origin: string) => sitemapPages(origin, place.inside, place.signal);
    const keep = async (artifact: NewArtifact) => {
      const kept = await place.saveArtifact(artifact);
      meter.screenshots++;
      meter.bytes += kept.fileSize;
      return kept;
    };
    ended = await walkThrough({
      ...{
        place: { ...place, saveArtifact: keep },
        crawl,
        guarded,
        start,
        limits: payload.limits,
        meter,
        seconds,
        answered,
        sitemap,
        noLogin: payload.allowLogin ? undefined : await whyNoLogin(run, place, start),
      },
    });
    if (guarded.withheld() > 0)
      crawl.note(`${guarded.withheld()} requests that would have changed something were not sent.`);
    if (guarded.heldIn() > 0)
      crawl.note(`${guarded.heldIn()} requests to other sites were not sent while the login was typed in.`);
  } catch (error) {
    // What was found before somebody stopped it is not thrown away.
    if (place.isCancelled()) await conclude(run, place, { crawl, wishes, ended: 'it was cancelled' });
    throw place.signal.aborted ? place.signal.reason : error;
  } finally {
    await place.charge({ ...meter, browserMs: performance.now() - began });
  }
  const saved = await conclude(run, place, { crawl, wishes, ended });
  return {
    result: {
      url: start.href,
      pages: record.visits,
      states: crawl.states.count(),
      seconds: Math.round(seconds() * 10) / 10,
      loggedIn: crawl.signIn() !== null,
      ended,
      ...saved,
      notes: record.notes,
    },
  };
};

/** Secrets are not for whatever address a scan is given. */
async function whyNoLogin({ project }: QaRun, { store }: RunContext, start: URL): Promise<string | undefined> {
  const site = await siteOf(store, project);
  if (site && isSameSite(site, start)) return undefined;
  return `There is a login form, but the secrets of the project are for its own site (${site?.origin}), and this is ${start.origin}. Change the project's url, or scan with allowLogin.`;
}

/** What was asked for: in the description, in the project's own words, in its documents. */
async function wishesOf({ projectId, project }: QaRun, { store }: RunContext, description: string): Promise<Wish[]> {
  const requirements = await store.requirements.list({ projectId });
  return [
    ...wishesIn([description, project.testRequirements]),
    ...requirements.map(({ id, ref, text }) => ({ text, ref, requirementId: id })),
  ];
}

/** What a scan saw and could not make much of. */
function notUnderstood(found: readonly Recognised[], pages: number): string[] {
  if (found.length === 0)
    return [
      `Nothing on ${pages === 1 ? 'the one page' : `these ${pages} pages`} looks like a use case that is known here.`,
    ];
  const strange = found.filter((one) => one.class === 'submit');
  if (strange.length === 0) return [];
  const where = strange.slice(0, 5).map((one) => one.pages[0]?.state.template ?? '');
  const how = 'qa_use_case_candidate_propose says what they are for.';
  return [`Forms that look like no use case that is known here are kept as drafts (${where.join(', ')}): ${how}`];
}

interface Conclusion {
  crawl: Crawl;
  wishes: readonly Wish[];
  /** Why it ended. */
  ended: string;
}

async function conclude(run: QaRun, place: RunContext, { crawl, wishes, ended }: Conclusion) {
  const pages = crawl.settledPages();
  const found = recognise(pages);
  for (const note of notUnderstood(found, pages.length)) crawl.note(note);
  const weighed = weigh(found, wishes, pages, ended === ALL_SEEN ? undefined : ended);
  const saved = await saveFound(place, run, found, { weighed, signIn: crawl.signIn() });
  return { ...saved, gaps: weighed.gaps.map(({ text, reason }) => `${text}: ${reason}`).slice(0, 20) };
}
