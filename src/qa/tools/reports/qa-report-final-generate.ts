import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { deliveryChannel } from '../../delivery/channels.ts';
import { reportExportFormats } from '../../delivery/save-preferences.ts';
import { findReport, startReport } from '../../report/reports.ts';
import { waitForLatestRun } from '../../runs/run-status.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { attachReportFiles } from './report-shapes.ts';

export const qaReportFinalGenerate = defineTool({
  name: 'qa_report_final_generate',
  title: 'Generate a test report of the results (PDF, HTML)',
  description:
    'Generate, write, create, make, prepare or export the final test report of a QA project, e.g. for management, stakeholders or a release meeting, and send it out: PDF, HTML or Markdown. Also JUnit, Allure and JSON; qa_report_stats_summary_get tells when it is ready.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    exportFormat: z
      .enum(reportExportFormats)
      .optional()
      .describe('Main format; default: the preference of the project, else html'),
    runBatchId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only this regression batch; default: latest result of every test'),
    channels: z
      .array(deliveryChannel)
      .optional()
      .describe('Channels to use instead of the preferences; empty sends nothing'),
  }),
  output: z.object({
    reportId: z.string(),
    status: z.literal('queued'),
    workflowRuntimeId: z.string(),
    workflowRunId: z.string(),
  }),
  async run({ exportFormat, channels, ...options }, context) {
    const started = await startReport(await openQaContext(context), { ...options, format: exportFormat, channels });
    const uri = `qa://reports/${started.reportId}`;
    context.attachLink({ uri, name: 'State and files of the report', mimeType: 'application/json' });
    return { ...started, status: 'queued' as const };
  },
  async follow({ reportId, workflowRuntimeId }, context) {
    const qa = await openQaContext(context);
    await waitForLatestRun(qa, 'qa.report', workflowRuntimeId, context);
    const report = await findReport(qa, reportId);
    attachReportFiles(report, context);
    return report;
  },
});
