import { strToU8, zipSync } from 'fflate';
import { Failure, systemCode, systemReason } from '../../platform/errors.ts';
import { createRedactor } from '../../platform/redact.ts';
import { cleanValue } from '../../platform/untrusted-result.ts';
import { renderPdf } from '../../web/pdf.ts';
import { keepArtifact, type NewArtifact } from '../runs/artifacts.ts';
import type { Meter } from '../runs/costs.ts';
import type { Run, RunPlace } from '../runs/handler.ts';
import type { Artifact } from '../store/store.ts';
import { renderAllure } from './allure.ts';
import type { ReportDocument } from './document.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { dataUrl, loadPictures } from './pictures.ts';

/** The document is clean already; and in a rendered file a short secret would be found in the digits of a picture. */
const asItIs = createRedactor([]);

type Place = Pick<RunPlace, 'home' | 'principal' | 'store' | 'browsers' | 'signal' | 'log'>;

interface Written {
  files: Artifact[];
  /** Why there is no PDF, where one was wanted. The other files do not need a browser. */
  noPdf?: Failure;
}

/** Writes a report in every form. */
export async function writeFiles(
  run: Run,
  place: Place,
  raw: ReportDocument,
  { pdf, meter }: { pdf: boolean; meter: Meter },
): Promise<Written> {
  const document = cleanValue(raw);
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
  const paper = pdf ? await onPaper(page, place, meter) : undefined;
  if (paper && !(paper instanceof Failure)) files.push(['report.pdf', 'application/pdf', paper]);
  const kept: Artifact[] = [];
  for (const [name, contentType, data] of files) {
    const file = await keep(run, place, { kind: 'report', name, contentType, data });
    meter.bytes += file.fileSize;
    kept.push(file);
  }
  return { files: kept, ...(paper instanceof Failure && { noPdf: paper }) };
}

async function onPaper(
  page: string,
  { browsers, signal, log }: Pick<Place, 'browsers' | 'signal' | 'log'>,
  meter: Meter,
): Promise<Uint8Array | Failure> {
  const begun = performance.now();
  try {
    return await renderPdf(page, await browsers(), signal);
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, 'no PDF of a report');
    const why = error instanceof Failure ? error.message : 'the browser failed';
    return new Failure('unavailable', 'NO_PDF', `The PDF could not be made: ${why}`, {}, { cause: error });
  } finally {
    meter.browserMs += performance.now() - begun;
  }
}

/** A disk that is full is no defect of ours, and whoever waits for the report should know. */
async function keep(
  run: Run,
  place: Pick<RunPlace, 'home' | 'principal' | 'store'>,
  file: NewArtifact,
): Promise<Artifact> {
  try {
    return await keepArtifact({ ...place, redactor: asItIs }, run, file);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    const message = `The report cannot be kept: ${file.name}: ${systemReason(error)}.`;
    throw new Failure('unavailable', 'NOT_KEPT', message, {}, { cause: error });
  }
}
