import { resolve } from 'node:path';
import * as z from 'zod';
import { untrustedName } from '../../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../../tool/tool.ts';
import { exportScripts } from '../../artifacts/export-scripts.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';

export const qaTestScriptExport = defineTool({
  name: 'qa_test_script_export',
  title: 'Export the tests as a Playwright project',
  description:
    'Export, download or hand over the Playwright tests as source code: a project (folder or zip) of your own that runs locally or in your repository with plain npx playwright test, without this server. Replaces only files of an earlier export.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  local: 'files',
  input: z.object({
    projectId,
    path: z.string().min(1).max(4000).describe('Folder to write into, or path of the zip file'),
    testScriptIds: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(5000)
      .optional()
      .describe('Only these scripts; default: all active ones'),
    format: z.enum(['folder', 'zip']).default('folder').describe('Write a folder or one zip file'),
  }),
  output: z.object({
    path: z.string(),
    tests: z.number(),
    files: untrustedName(z.array(z.string())),
    environment: z.array(z.string()).describe('Names of the environment variables that the tests read'),
    removed: untrustedName(z.array(z.string())).describe(
      'Files of an earlier export that were removed, because their scripts are no longer exported',
    ),
    skipped: z
      .array(z.object({ testScriptId: z.string(), status: z.string() }))
      .describe('Scripts that were requested by id but are not active, with their status'),
  }),
  async run({ path, testScriptIds, ...args }, context) {
    await context.checkPath(path);
    return exportScripts(await openQaContext(context), { ...args, testScriptIds, path: resolve(context.cwd, path) });
  },
});
