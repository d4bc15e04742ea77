import { resolve } from 'node:path';
import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { exportScripts } from '../artifacts/export.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';

export const qaTestScriptExport = defineTool({
  name: 'qa_test_script_export',
  title: 'Export scripts as a Playwright project',
  description:
    'Write the active test scripts as a Playwright project (config, tests, README) that runs under plain npx playwright test. It replaces what an earlier export wrote there, and no other file.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  local: 'files',
  input: z.object({
    projectId,
    path: z.string().min(1).max(4000).describe('Folder to write into, or name of the zip'),
    testScriptIds: z.array(z.string().min(1).max(100)).min(1).max(5000).optional().describe('Default: all active'),
    format: z.enum(['folder', 'zip']).default('folder').describe('What to write'),
  }),
  output: z.object({
    path: z.string(),
    tests: z.number(),
    files: z.array(z.string()),
    environment: z.array(z.string()).describe('Variables that the tests read'),
    removed: z.array(z.string()).describe('Tests of an earlier export that are no longer among them'),
    skipped: z
      .array(z.object({ testScriptId: z.string(), status: z.string() }))
      .describe('Asked for by id, and not active'),
  }),
  async run({ path, testScriptIds, ...args }, context) {
    await context.checkPath(path);
    return exportScripts(await qaRoom(context), { ...args, testScriptIds, path: resolve(context.cwd, path) });
  },
});
