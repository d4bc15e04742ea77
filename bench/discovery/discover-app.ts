import { randomUUID } from 'node:crypto';
import type { BrowserPool } from '../../src/platform/browser/browser-pool.ts';
import { newUsageMeter } from '../../src/qa/runs/usage-meter.ts';
import { crawlSite } from '../../src/qa/scan/crawl/crawl-site.ts';
import { createCrawl, emptyCrawl } from '../../src/qa/scan/crawl/crawl-state.ts';
import { openGuardedContext } from '../../src/qa/scan/guard/guarded-context.ts';
import { type RecognisedUseCase, recogniseUseCases } from '../../src/qa/scan/recognise/recognise-use-cases.ts';
import { normaliseUrl } from '../../src/qa/scan/site-urls.ts';
import { projectSecretsFrom } from '../../src/qa/secrets/project-secrets.ts';
import type { App } from '../../test/sites/apps/apps.ts';

export interface Discovery {
  found: RecognisedUseCase[];
  pages: number;
  seconds: number;
  notes: string[];
  templates: string[];
}

/** Runs the QA scan of one application without a store. */
export async function discover(browsers: BrowserPool, app: App): Promise<Discovery> {
  const start = normaliseUrl(app.url);
  if (!start) throw new Error(`${app.url} is not an address that can be scanned`);
  const limits = { pages: 100, depth: 8, seconds: 300 };
  const { signal } = new AbortController();
  const crawl = createCrawl(emptyCrawl(), start.origin, limits);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const runContext = scanContextFor(app, signal);
  const contextOptions = {
    origin: start.origin,
    inside: undefined,
    signal,
    isSecret: runContext.secrets.holdsCredential,
  };
  await using guarded = await openGuardedContext(browsers, contextOptions);
  const walk = { runContext, crawl, guarded, start, limits, meter: newUsageMeter(), seconds };
  const ended = await crawlSite(walk);
  const pages = crawl.settledPages();
  return {
    found: recogniseUseCases(pages),
    pages: crawl.record.visits,
    seconds: seconds(),
    notes: [ended, ...crawl.record.notes],
    templates: pages.map(({ state, opened }) => state.template + (opened[0] ? ` + ${opened[0].name}` : '')),
  };
}

function scanContextFor({ credentials }: App, signal: AbortSignal): Parameters<typeof crawlSite>[0]['runContext'] {
  const values = new Map(
    Object.entries({ TEST_USER_NAME: credentials.username, TEST_USER_PASSWORD: credentials.password }).filter(
      ([, value]) => value !== '',
    ),
  );
  return {
    secrets: projectSecretsFrom(
      [...values.keys()].map((name) => ({ id: name, name, description: null })),
      values,
    ),
    saveArtifact: async ({ kind, name, contentType, data }) => ({
      ...{ id: randomUUID(), owner: '', projectId: '', runId: '', createdAt: 0, updatedAt: 0 },
      ...{ kind, name, contentType, file: '', fileSize: data.length },
    }),
    checkpoint: async () => {},
    progress: () => {},
    signal,
  };
}
