import { join } from 'node:path';
import type { BrowserPool } from '../../platform/browser/browser-pool.ts';
import { Failure, systemReason } from '../../platform/errors.ts';
import { writeFileAtomic } from '../../platform/files/files.ts';
import { cleanValue } from '../../platform/text/untrusted-result.ts';
import { unlessAborted } from '../../platform/unless-aborted.ts';
import { renderPdf } from '../../web/pdf.ts';
import { type CollectOptions, collectReport } from './collect.ts';
import { renderHtml } from './html/page.ts';
import { renderJunit } from './junit.ts';
import { renderLeaderboard } from './leaderboard.ts';
import type { ReportModel } from './model.ts';
import { loadPictures } from './pictures.ts';
import { renderSarif } from './sarif.ts';

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
  /** All that need no browser unless given. */
  formats?: readonly ReportFormat[] | undefined;
  /** Where there is a browser that prints; asked only for a PDF. */
  browsers?: (() => Promise<BrowserPool>) | undefined;
}

export interface WrittenReport {
  files: string[];
  model: ReportModel;
}

/** Reads a results folder once and writes its reports into it, each whole or not at all. */
export async function writeReport(dir: string, options: ReportOptions = {}): Promise<WrittenReport> {
  const wanted = options.formats ?? reportFormats.filter((format) => format !== 'pdf');
  const model = cleanValue(await collectReport(dir, options));
  let page: string | undefined;
  const html = async () => (page ??= renderHtml(model, { pictures: await loadPictures(dir, model) }));
  const content: Record<ReportFormat, () => Promise<string | Uint8Array>> = {
    json: async () => `${JSON.stringify(model, null, 1)}\n`,
    leaderboard: async () => renderLeaderboard(model.sites),
    html,
    sarif: async () => renderSarif(model),
    junit: async () => renderJunit(model),
    async pdf() {
      if (!options.browsers)
        throw new Failure('bad_input', 'PDF_NEEDS_BROWSER', 'A PDF needs a browser, and none was given.');
      return printed(renderPdf(await html(), await options.browsers(), options.signal));
    },
  };
  const files: string[] = [];
  const signal = options.signal ?? new AbortController().signal;
  for (const format of reportFormats.filter((known) => wanted.includes(known))) {
    const path = join(dir, reportFiles[format]);
    // A browser that hangs must not hold up whoever waits.
    await write(path, await unlessAborted(content[format](), signal));
    files.push(path);
  }
  return { files, model };
}

/** What goes wrong in a browser is a failure that can be told, as a full disk is. */
async function printed(work: Promise<Uint8Array>): Promise<Uint8Array> {
  return work.catch((error: unknown) => {
    if (error instanceof Failure) throw error;
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '').slice(0, 200) : 'unknown';
    throw new Failure('unavailable', 'PDF_FAILED', `The PDF could not be printed: ${reason}`, {}, { cause: error });
  });
}

async function write(path: string, data: string | Uint8Array): Promise<void> {
  try {
    await writeFileAtomic(path, data, 0o644);
  } catch (error) {
    const message = `Cannot write ${path}: ${systemReason(error)}.`;
    throw new Failure('unavailable', 'REPORT_UNWRITABLE', message, {}, { cause: error });
  }
}
