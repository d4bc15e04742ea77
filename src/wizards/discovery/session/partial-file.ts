import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { JsonObject } from '../../../platform/json.ts';
import type { DiscoverySession, RecordedClick } from './discovery-session.ts';

/** The content of a partial file: the pages so far and their owner. */
const partialSchema = z.looseObject({
  session_id: z.string(),
  owner: z.string(),
  url: z.string(),
  pages: z.array(z.looseObject({})),
  saved_at: z.string(),
});

export function toPartialFile(session: DiscoverySession): JsonObject {
  const content = {
    session_id: session.id,
    owner: session.owner,
    name: '[IN PROGRESS]',
    url: session.url,
    started_at: session.startedAt,
    saved_at: new Date().toISOString(),
    start_clicks: session.clicks.filter(({ pagesSaved }) => pagesSaved === 0).map(toFileFormat),
    pages: [...session.pages.values()].map(({ page }) => page).sort((a, b) => a.page_number - b.page_number),
  };
  return JSON.parse(JSON.stringify(content));
}

/** The keys of the file differ from those in memory: files of earlier versions have them. */
function toFileFormat({ hasMoved, hasClosedOverlay, pagesSaved, ...click }: RecordedClick) {
  return { ...click, moved: hasMoved, uncovered: hasClosedOverlay, saved: pagesSaved };
}

export interface UnfinishedDiscovery {
  partial_file: string;
  pages_saved: number;
  saved_at: string;
}

const MAX_FILES = 50;

/** Earlier discoveries of the same address by the same owner that were not completed. */
export async function listUnfinishedDiscoveries(
  folder: string,
  { owner, url, alive }: { owner: string; url: string; alive: readonly string[] },
): Promise<UnfinishedDiscovery[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[0-9a-f-]{36}\.json$/.test(name));
  const found: UnfinishedDiscovery[] = [];
  for (const name of names.slice(0, MAX_FILES)) {
    const path = join(folder, name);
    if (alive.includes(name.slice(0, -'.json'.length)) || (await stat(path)).size > 10_000_000) continue;
    const content = partialSchema.safeParse(
      await readFile(path, 'utf8')
        .then(JSON.parse)
        .catch(() => undefined),
    );
    if (content.success && content.data.owner === owner && content.data.url === url)
      found.push({ partial_file: path, pages_saved: content.data.pages.length, saved_at: content.data.saved_at });
  }
  return found;
}
