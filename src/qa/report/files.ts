import { strToU8, zipSync } from 'fflate';
import { createRedactor } from '../../platform/redact.ts';
import { renderPdf } from '../../web/pdf.ts';
import { keepArtifact, readArtifact } from '../runs/artifacts.ts';
import type { Run, RunPlace } from '../runs/handler.ts';
import type { Artifact, QaStore } from '../store/store.ts';
import { renderAllure } from './allure.ts';
import type { ReportDocument } from './document.ts';
import { renderHtml, type StepPictures } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

/** Pictures make a page heavy: those of the tests that need a look, until it is full. */
const MOST_PICTURE_BYTES = 6_000_000;

/** The document is clean already; and in a rendered file a short secret would be found in the digits of a picture. */
const asItIs = createRedactor([]);

/** Writes a report in every form. */
export async function writeFiles(
  run: Run,
  place: Pick<RunPlace, 'home' | 'store' | 'browsers'>,
  document: ReportDocument,
  { pdf }: { pdf: boolean },
): Promise<Artifact[]> {
  const page = renderHtml(document, await loadPictures(place, document));
  const allure = Object.fromEntries(renderAllure(document).map(({ name, content }) => [name, strToU8(content)]));
  const files: [name: string, contentType: string, data: string | Uint8Array][] = [
    ['report.json', 'application/json', `${JSON.stringify(document, null, 1)}\n`],
    ['report.html', 'text/html', page],
    ['report.md', 'text/markdown', renderMarkdown(document)],
    ['junit.xml', 'application/xml', renderJunit(document)],
    ['allure-results.zip', 'application/zip', zipSync(allure, { level: 6 })],
  ];
  if (pdf) files.push(['report.pdf', 'application/pdf', await renderPdf(page, await place.browsers())]);
  const kept: Artifact[] = [];
  for (const [name, contentType, data] of files)
    kept.push(await keepArtifact({ ...place, redactor: asItIs }, run, { kind: 'report', name, contentType, data }));
  return kept;
}

async function loadPictures(
  { home, store }: { home: string; store: Pick<QaStore, 'artifacts'> },
  { tests }: ReportDocument,
): Promise<StepPictures> {
  const wanted = tests.filter(({ verdict, healed }) => verdict === 'failed' || verdict === 'flaky' || healed > 0);
  const pictures = new Map<string, string>();
  let bytes = 0;
  for (const id of wanted.flatMap(({ steps }) => steps.flatMap(({ picture }) => picture ?? []))) {
    if (pictures.has(id)) continue;
    const artifact = await store.artifacts.get(id);
    const data = artifact && (await readArtifact(home, artifact));
    if (!data || bytes + data.length > MOST_PICTURE_BYTES) continue;
    bytes += data.length;
    pictures.set(id, `data:${artifact.contentType};base64,${Buffer.from(data).toString('base64')}`);
  }
  return pictures;
}
