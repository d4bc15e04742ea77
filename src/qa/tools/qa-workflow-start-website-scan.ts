import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { followRun } from '../runs/status.ts';
import { SCAN, startScan } from '../scan/start.ts';
import { workflowParams } from './later-fields.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentRun } from './run-shapes.ts';

export const qaWorkflowStartWebsiteScan = defineTool({
  name: 'qa_workflow_start_website_scan',
  title: 'Start a website scan',
  description:
    'Scan a website in a real browser to discover use cases: login, search, checkout, forms, tables and more, with screenshots. Only looks: submits nothing but the login, for which it takes the project’s secrets.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    url: z.string().min(1).max(2000).describe('Where to begin'),
    description: z.string().min(1).max(10_000).describe('What to look for'),
    archiveUnapproved: z.boolean().default(false).describe('Drop candidates that nobody approved first'),
    allowLogin: z.boolean().default(false).describe('Type secrets into url although the project’s site is another'),
    maxPages: z.number().int().min(1).max(2000).default(100).describe('Pages to look at'),
    maxDepth: z.number().int().min(0).max(50).default(8).describe('Clicks from the first page'),
    maxSeconds: z.number().int().min(5).max(7200).default(600).describe('Time for it'),
    workflowParams,
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string() }),
  async run({ maxPages, maxDepth, maxSeconds, workflowParams: _, ...wishes }, context) {
    const limits = { pages: maxPages, depth: maxDepth, seconds: maxSeconds };
    return startScan(await qaRoom(context), { ...wishes, limits });
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(await followRun(await qaRoom(context), SCAN, workflowRuntimeId, context));
  },
});
