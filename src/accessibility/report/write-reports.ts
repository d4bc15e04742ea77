import { join } from 'node:path';
import type { BrowserPool } from '../../platform/browser/browser-pool.ts';
import { Failure, systemReason } from '../../platform/errors.ts';
import { writeFileAtomic } from '../../platform/files/files.ts';
import { cleanValue } from '../../platform/text/untrusted-result.ts';
import { unlessAborted } from '../../platform/unless-aborted.ts';
import { renderPdf } from '../../web/pdf.ts';
import { type CollectOptions, collectScanReport } from './collect-report.ts';
import { loadElementScreenshots } from './element-screenshots.ts';
import { renderScanHtml } from './html/report-page.ts';
import { renderScanJunit } from './junit-report.ts';
import { renderLeaderboard } from './leaderboard.ts';
import type { ReportModel } from './report-model.ts';
import { renderScanSarif } from './sarif-report.ts';

const reportFormats = ['json', 'leaderboard', 'html', 'sarif', 'junit', 'pdf'] as const;

type ReportFormat = (typeof reportFormats)[number];

const reportFiles: Record<ReportFormat, string> = {
  json: 'report_data.json',
  leaderboard: 'leaderboard.csv',
  html: 'report.html',
  sarif: 'report.sarif',
  junit: 'report.junit.xml',
  pdf: 'report.pdf',
};

export interface ReportOptions extends CollectOptions {
  /** Default: all formats except PDF, which needs a browser. */
  formats?: readonly ReportFormat[] | undefined;
  /** Provides the browser that prints a PDF; called only for PDF. */
  browsers?: (() => Promise<BrowserPool>) | undefined;
}

export interface WrittenReport {
  files: string[];
  model: ReportModel;
}

/** Reads a results folder once and writes its reports into it, each file atomically. */
export async function writeScanReports(dir: string, options: ReportOptions = {}): Promise<WrittenReport> {
  const wanted = options.formats ?? reportFormats.filter((format) => format !== 'pdf');
  const model = cleanValue(await collectScanReport(dir, options));
  let page: string | undefined;
  const html = async () => (page ??= renderScanHtml(model, { pictures: await loadElementScreenshots(dir, model) }));
  const content: Record<ReportFormat, () => Promise<string | Uint8Array>> = {
    json: async () => `${JSON.stringify(model, null, 1)}\n`,
    leaderboard: async () => renderLeaderboard(model.sites),
    html,
    sarif: async () => renderScanSarif(model),
    junit: async () => renderScanJunit(model),
    async pdf() {
      if (!options.browsers)
        throw new Failure(
          'bad_input',
          'PDF_NEEDS_BROWSER',
          'A PDF report needs a browser. Leave out pdf, or see assay doctor for the browser.',
        );
      return wrapPdfErrors(renderPdf(await html(), await options.browsers(), options.signal));
    },
  };
  const files: string[] = [];
  const signal = options.signal ?? new AbortController().signal;
  for (const format of reportFormats.filter((known) => wanted.includes(known))) {
    const path = join(dir, reportFiles[format]);
    // A browser that hangs must not block the caller after an abort.
    await writeReportFile(path, await unlessAborted(content[format](), signal));
    files.push(path);
  }
  return { files, model };
}

/** Turns errors of the browser into a Failure PDF_FAILED, so that the caller gets a message. */
async function wrapPdfErrors(work: Promise<Uint8Array>): Promise<Uint8Array> {
  return work.catch((error: unknown) => {
    if (error instanceof Failure) throw error;
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '').slice(0, 200) : 'unknown';
    throw new Failure('unavailable', 'PDF_FAILED', `The PDF could not be printed: ${reason}`, {}, { cause: error });
  });
}

async function writeReportFile(path: string, data: string | Uint8Array): Promise<void> {
  try {
    await writeFileAtomic(path, data, 0o644);
  } catch (error) {
    const message = `Cannot write ${path}: ${systemReason(error)}.`;
    throw new Failure('unavailable', 'REPORT_UNWRITABLE', message, {}, { cause: error });
  }
}
