import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../../platform/errors.ts';
import { unlessAborted } from '../../../platform/unless-aborted.ts';
import { ELEMENTS_FOLDER } from '../audits/element-screenshots.ts';
import { crawlPageKey } from '../crawl/page-address.ts';
import type { ScanContext } from '../scan-context.ts';
import { redirectToKnownPage } from '../visit/visit-permission.ts';
import { type PageVisit, type PageVisitResult, visitResult } from '../visit/visit-result.ts';
import { pageFolder, type ScanSlice, type SlicedVisit, slicedVisit, VISITS_FILE } from './slice-protocol.ts';
import type { SliceVisitor } from './slice-visitor.ts';

interface SliceResults extends AsyncDisposable {
  isEmpty: boolean;
  /** The result of a page as if this process had visited it; undefined if no worker has. */
  take(pageVisit: PageVisit): Promise<PageVisitResult | undefined>;
}

/** Has another worker visit the pages. The files of its results are removed at the end. */
export async function openSliceResults(
  scan: ScanContext,
  visitor: SliceVisitor,
  slice: ScanSlice,
): Promise<SliceResults> {
  const folder = await unlessAborted(visitor.visit(slice), scan.signal);
  const visited = folder === undefined ? new Map<number, SlicedVisit>() : await readVisits(folder);
  return {
    isEmpty: visited.size === 0,
    async take(pageVisit) {
      const found = visited.get(pageVisit.pageId);
      if (!found || folder === undefined) return undefined;
      const { scope, ...rest } = found.visit;
      const visit: PageVisitResult = { ...rest, ...(scope && { scope }) };
      if (scope) pageVisit.task.site.moveTo(scope);
      const known = claimAll(pageVisit, found);
      if (known !== undefined) {
        const { status, contentType } = visit;
        return { ...visitResult(known, redirectToKnownPage(known)), status, contentType };
      }
      keepScreenshots(scan, visit);
      await copyPageFiles(scan, join(folder, pageFolder(pageVisit.pageId)), visit);
      return visit;
    },
    async [Symbol.asyncDispose]() {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readVisits(folder: string): Promise<Map<number, SlicedVisit>> {
  const text = await readFile(join(folder, VISITS_FILE), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  const visits = lines.map((line) => slicedVisit.parse(JSON.parse(line)));
  return new Map(visits.map((visit) => [visit.page_id, visit]));
}

/** Claims the redirect targets of a page for the whole scan. Returns the address of one that is already known. */
function claimAll({ task }: PageVisit, { claims }: SlicedVisit): string | undefined {
  const own = crawlPageKey(new URL(task.url));
  return claims.find(([key]) => key !== own && !task.site.claimKey(key))?.[1];
}

/** The maximum number of screenshots for a rule counts for the whole scan. */
function keepScreenshots({ knownFindings }: ScanContext, { findings }: PageVisitResult): void {
  for (const finding of findings) {
    const { screenshot, issue_id, rule } = finding;
    if (screenshot === undefined) continue;
    if (knownFindings.isKnown(issue_id) || !knownFindings.reserveScreenshot(rule)) delete finding.screenshot;
  }
}

async function copyPageFiles(scan: ScanContext, from: string, { findings }: PageVisitResult): Promise<void> {
  const kept = new Set(findings.flatMap(({ screenshot }) => screenshot ?? []));
  const isKept = (path: string) =>
    basename(dirname(path)) !== ELEMENTS_FOLDER || kept.has(`${ELEMENTS_FOLDER}/${basename(path)}`);
  await mkdir(scan.resultsDir, { recursive: true });
  await cp(from, scan.resultsDir, { recursive: true, filter: isKept }).catch((error: unknown) => {
    // Most pages have no files.
    if (systemCode(error) !== 'ENOENT') throw error;
  });
}
