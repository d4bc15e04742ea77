import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElementScreenshot, ElementScreenshots } from './html/rule-cards.ts';
import type { ReportModel } from './report-model.ts';

const MAX_SCREENSHOT_BYTES = 200 * 1024;
/** Total length of the data URLs, so that the page stays below 10 MB. */
const MAX_TOTAL_CHARACTERS = 5 * 1024 * 1024;

/** Loads screenshots of the elements in the report, worst rules first, up to the size limit. */
export async function loadElementScreenshots(dir: string, model: ReportModel): Promise<ElementScreenshots> {
  const pictures = new Map<string, ElementScreenshot>();
  let remaining = MAX_TOTAL_CHARACTERS;
  const examples = model.rules.flatMap((rule) => rule.templates).flatMap((group) => group.examples);
  for (const { issue_id, screenshot } of examples) {
    if (screenshot === '' || pictures.has(issue_id)) continue;
    const picture = await loadScreenshot(join(dir, screenshot), Math.min(MAX_SCREENSHOT_BYTES, remaining));
    if (!picture) continue;
    remaining -= picture.source.length;
    pictures.set(issue_id, picture);
  }
  return pictures;
}

async function loadScreenshot(path: string, maxBytes: number): Promise<ElementScreenshot | undefined> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) return undefined;
    const bytes = await readFile(path);
    const dimensions = pngSize(bytes);
    return dimensions && { source: `data:image/png;base64,${bytes.toString('base64')}`, ...dimensions };
  } catch {
    return undefined;
  }
}

/** Reads the size from a PNG header; undefined for other files, which must not get into the page. */
function pngSize(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 24 || bytes.readUInt32BE(0) !== 0x89504e47 || bytes.toString('latin1', 12, 16) !== 'IHDR') {
    return undefined;
  }
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
