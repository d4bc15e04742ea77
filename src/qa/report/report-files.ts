import { strToU8, zipSync } from 'fflate';
import { Failure, systemCode, systemReason } from '../../platform/errors.ts';
import { createRedactor } from '../../platform/redaction/redactor.ts';
import { cleanValue } from '../../platform/text/untrusted-result.ts';
import { renderPdf } from '../../web/pdf.ts';
import { type NewArtifact, saveArtifact } from '../runs/run-artifacts.ts';
import type { QaRun, RunContext } from '../runs/run-context.ts';
import type { UsageMeter } from '../runs/usage-meter.ts';
import type { Artifact } from '../store/qa-store.ts';
import { renderQaAllure } from './render-allure.ts';
import { renderQaHtml } from './render-html.ts';
import { renderQaJunit } from './render-junit.ts';
import { renderQaMarkdown } from './render-markdown.ts';
import type { ReportDocument } from './report-document.ts';
import { loadStepPictures, pictureDataUrl } from './step-pictures.ts';

/** The document is already redacted; redacting a rendered file could damage encoded pictures. */
const noRedaction = createRedactor([]);

type FileServices = Pick<RunContext, 'artifacts' | 'principal' | 'store' | 'browsers' | 'signal' | 'log'>;

interface WrittenFiles {
  files: Artifact[];
  /** Why a requested PDF is missing. The other files need no browser. */
  noPdf?: Failure;
}

/** Writes a report in every format. */
export async function writeReportFiles(
  run: QaRun,
  context: FileServices,
  raw: ReportDocument,
  { pdf, meter }: { pdf: boolean; meter: UsageMeter },
): Promise<WrittenFiles> {
  const document = cleanValue(raw);
  const pictures = await loadStepPictures(context, document);
  const page = renderQaHtml(document, new Map([...pictures].map(([id, picture]) => [id, pictureDataUrl(picture)])));
  const allure = Object.fromEntries([
    ...renderQaAllure(document, pictures).map(({ name, content }) => [name, strToU8(content)] as const),
    ...[...pictures.values()].map(({ name, data }) => [name, data] as const),
  ]);
  const files: [name: string, contentType: string, data: string | Uint8Array][] = [
    ['report.json', 'application/json', `${JSON.stringify(document, null, 1)}\n`],
    ['report.html', 'text/html', page],
    ['report.md', 'text/markdown', renderQaMarkdown(document)],
    ['junit.xml', 'application/xml', renderQaJunit(document)],
    ['allure-results.zip', 'application/zip', zipSync(allure, { level: 6 })],
  ];
  const paper = pdf ? await renderReportPdf(page, context, meter) : undefined;
  if (paper && !(paper instanceof Failure)) files.push(['report.pdf', 'application/pdf', paper]);
  const kept: Artifact[] = [];
  for (const [name, contentType, data] of files) {
    const file = await saveReportFile(run, context, { kind: 'report', name, contentType, data });
    meter.bytes += file.fileSize;
    kept.push(file);
  }
  return { files: kept, ...(paper instanceof Failure && { noPdf: paper }) };
}

async function renderReportPdf(
  page: string,
  { browsers, signal, log }: Pick<FileServices, 'browsers' | 'signal' | 'log'>,
  meter: UsageMeter,
): Promise<Uint8Array | Failure> {
  const begun = performance.now();
  try {
    return await renderPdf(page, await browsers(), signal);
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, 'cannot render report PDF');
    const why = error instanceof Failure ? error.message : 'the browser failed';
    return new Failure('unavailable', 'NO_PDF', `The PDF could not be created: ${why}`, {}, { cause: error });
  } finally {
    meter.browserMs += performance.now() - begun;
  }
}

/** Reports a full disk or a similar system error to the caller. */
async function saveReportFile(
  run: QaRun,
  context: Pick<RunContext, 'artifacts' | 'principal' | 'store'>,
  file: NewArtifact,
): Promise<Artifact> {
  try {
    return await saveArtifact({ ...context, redactor: noRedaction }, run, file);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    const message = `The report cannot be saved: ${file.name}: ${systemReason(error)}.`;
    throw new Failure('unavailable', 'NOT_KEPT', message, {}, { cause: error });
  }
}
