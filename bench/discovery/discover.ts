import { randomUUID } from 'node:crypto';
import type { BrowserRoom } from '../../src/platform/browser/room.ts';
import { createRedactor } from '../../src/platform/redact.ts';
import { normalised } from '../../src/qa/scan/addresses.ts';
import { createCrawl, newCrawl } from '../../src/qa/scan/crawl.ts';
import { openGuarded } from '../../src/qa/scan/guarded-context.ts';
import { type Recognised, recognise } from '../../src/qa/scan/recognise.ts';
import { walkThrough } from '../../src/qa/scan/walk.ts';
import { createPlaces } from '../../src/qa/secrets/places.ts';
import type { App } from '../../test/sites/apps/apps.ts';

export interface Discovery {
  found: Recognised[];
  pages: number;
  seconds: number;
  notes: string[];
  templates: string[];
}

/** The scan of one application without the store around it. */
export async function discover(browsers: BrowserRoom, app: App): Promise<Discovery> {
  const start = normalised(app.url);
  if (!start) throw new Error('no address');
  const limits = { pages: 100, depth: 8, seconds: 300 };
  const { signal } = new AbortController();
  const crawl = createCrawl(newCrawl(), start.origin, limits);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  await using guarded = await openGuarded(browsers, { origin: start.origin, inside: undefined, signal });
  const ended = await walkThrough({ place: placeFor(app, signal), crawl, guarded, start, limits, seconds });
  const pages = crawl.settledPages();
  return {
    found: recognise(pages),
    pages: crawl.record.visits,
    seconds: seconds(),
    notes: [ended, ...crawl.record.notes],
    templates: pages.map(({ state, opened }) => state.template + (opened[0] ? ` + ${opened[0].name}` : '')),
  };
}

function placeFor({ credentials }: App, signal: AbortSignal): Parameters<typeof walkThrough>[0]['place'] {
  const values = new Map([
    ['TEST_USER_NAME', credentials.username],
    ['TEST_USER_PASSWORD', credentials.password],
  ]);
  const known = [...values].filter(([, value]) => value !== '');
  return {
    secrets: {
      list: known.map(([name]) => ({ id: name, name, description: null })),
      redactor: createRedactor(known.map(([, value]) => value)),
      places: createPlaces(new Map(known)),
      value: (name) => values.get(name) ?? '',
    },
    keep: async ({ kind, name, contentType, data }) => ({
      ...{ id: randomUUID(), owner: '', projectId: '', runId: '', createdAt: 0, updatedAt: 0 },
      ...{ kind, name, contentType, file: '', fileSize: data.length },
    }),
    checkpoint: async () => {},
    progress: () => {},
    signal,
  };
}
