import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../platform/errors.ts';
import type { Resource } from '../../tool/tool.ts';
import { requireEndedScan } from '../scans.ts';
import { createScanServices } from '../tools/scan-services.ts';

/** MIME types of the report files. Other files of the results folder are not served. */
const mimeTypes: Record<string, string> = {
  'report.html': 'text/html',
  'report.pdf': 'application/pdf',
  'report_data.json': 'application/json',
  'leaderboard.csv': 'text/csv',
  'report.sarif': 'application/sarif+json',
  'report.junit.xml': 'application/xml',
};

export const accessibilityReportUri = (scanId: string, file: string) => `accessibility://reports/${scanId}/${file}`;

export const accessibilityReportResource: Resource = {
  name: 'accessibility-report',
  title: 'Accessibility report',
  description:
    'File written by cwac_generate_report: report.html, report.pdf, report_data.json, leaderboard.csv, report.sarif or report.junit.xml.',
  uriTemplate: 'accessibility://reports/{scanId}/{file}',
  mimeType: 'text/html',
  scope: 'accessibility:read',
  complete: { file: async (typed) => Object.keys(mimeTypes).filter((name) => name.startsWith(typed)) },
  // cwac_generate_report returns links to the files, so none are listed.
  list: async () => [],
  async read({ scanId = '', file = '' }, context) {
    const mimeType = Object.hasOwn(mimeTypes, file) ? mimeTypes[file] : undefined;
    if (mimeType === undefined) return undefined;
    try {
      const { resultsDir } = await requireEndedScan(await createScanServices(context), scanId);
      const path = join(resultsDir, file);
      return { data: await readFile(path), mimeType, path };
    } catch (error) {
      if (error instanceof Failure || (error instanceof Error && 'code' in error && error.code === 'ENOENT'))
        return undefined;
      throw error;
    }
  },
};
