import { strToU8, zipSync } from 'fflate';
import { Failure, systemCode, systemReason } from '../../platform/errors.ts';
import { createRedactor } from '../../platform/redact.ts';
import { renderPdf } from '../../web/pdf.ts';
import { keepArtifact, type NewArtifact, readArtifact } from '../runs/artifacts.ts';
import type { Run, RunPlace } from '../runs/handler.ts';
import type { Artifact, QaStore } from '../store/store.ts';
import { renderAllure } from './allure.ts';
import type { ReportDocument } from './document.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

/** Pictures make a page heavy: those of the tests that need a look, until it is full. */
const MOST_PICTURE_BYTES = 6_000_000;

/** A file as Allure knows it, and what is in it. */
interface Picture {
  name: string;
  contentType: string;
  data: Uint8Array;
}

/** The document is clean already; and in a rendered file a short secret would be found in the digits of a picture. */
const asItIs = createRedactor([]);

/** Writes a report in every form. */
export async function writeFiles(
  run: Run,
  place: Pick<RunPlace, 'home' | 'store' | 'browsers'>,
  document: ReportDocument,
  { pdf }: { pdf: boolean },
): Promise<Artifact[]> {
  const pictures = await loadPictures(place, document);
  const page = renderHtml(document, new Map([...pictures].map(([id, picture]) => [id, dataUrl(picture)])));
  const allure = Object.fromEntries([
    ...renderAllure(document, pictures).map(({ name, content }) => [name, strToU8(content)] as const),
    ...[...pictures.values()].map(({ name, data }) => [name, data] as const),
  ]);
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
    kept.push(await keep(run, place, { kind: 'report', name, contentType, data }));
  return kept;
}

/** A disk that is full is no defect of ours, and whoever waits for the report should know. */
async function keep(run: Run, place: Pick<RunPlace, 'home' | 'store'>, file: NewArtifact): Promise<Artifact> {
  try {
    return await keepArtifact({ ...place, redactor: asItIs }, run, file);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    const message = `The report cannot be kept: ${file.name}: ${systemReason(error)}.`;
    throw new Failure('unavailable', 'NOT_KEPT', message, {}, { cause: error });
  }
}

async function loadPictures(
  { home, store }: { home: string; store: Pick<QaStore, 'artifacts'> },
  { tests }: ReportDocument,
): Promise<Map<string, Picture>> {
  const wanted = tests.filter(({ verdict, healed }) => verdict === 'failed' || verdict === 'flaky' || healed > 0);
  const pictures = new Map<string, Picture>();
  let bytes = 0;
  for (const id of wanted.flatMap(({ steps }) => steps.flatMap(({ picture }) => picture ?? []))) {
    if (pictures.has(id)) continue;
    const artifact = await store.artifacts.get(id);
    const data = artifact && (await readArtifact(home, artifact));
    if (!data) continue;
    bytes += data.length;
    if (bytes > MOST_PICTURE_BYTES) break;
    const { contentType } = artifact;
    pictures.set(id, { name: `${id}-attachment.${contentType === 'image/png' ? 'png' : 'jpg'}`, contentType, data });
  }
  return pictures;
}

function dataUrl({ contentType, data }: Picture): string {
  return `data:${contentType};base64,${Buffer.from(data).toString('base64')}`;
}
