import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { channelName } from '../delivery/channels.ts';
import { exportFormats } from '../delivery/preferences.ts';
import { findReport, startReport } from '../report/reports.ts';
import { followRun } from '../runs/status.ts';
import { projectId } from './project-shapes.ts';
import { linkFiles } from './report-shapes.ts';
import { qaRoom } from './room.ts';

export const qaReportFinalGenerate = defineTool({
  name: 'qa_report_final_generate',
  title: 'Generate a final test report',
  description:
    'Final test report of a QA project as HTML, PDF, Markdown, JUnit, Allure and JSON, delivered as the preferences say. Returns a reportId at once; qa_report_stats_summary_get tells its state.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    exportFormat: z.enum(exportFormats).optional().describe('Default: the preference, else html; pdf takes longer'),
    runBatchId: z.string().min(1).max(100).optional().describe('Only this batch; default: the project as it stands'),
    channels: z.array(channelName).optional().describe('Instead of the preferred ones; empty: send nothing'),
  }),
  output: z.object({
    reportId: z.string(),
    status: z.literal('queued'),
    workflowRuntimeId: z.string(),
    workflowRunId: z.string(),
  }),
  async run({ exportFormat, channels, ...wishes }, context) {
    const started = await startReport(await qaRoom(context), { ...wishes, format: exportFormat, channels });
    const uri = `qa://reports/${started.reportId}`;
    context.attach({ type: 'link', uri, name: 'State and files of the report', mimeType: 'application/json' });
    return { ...started, status: 'queued' as const };
  },
  async follow({ reportId, workflowRuntimeId }, context) {
    const room = await qaRoom(context);
    await followRun(room, 'qa.report', workflowRuntimeId, context);
    const report = await findReport(room, reportId);
    linkFiles(report, context);
    return report;
  },
});
