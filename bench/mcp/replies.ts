import { join } from 'node:path';
import * as z from 'zod';
import { newFolder } from '../../test/support/folders.ts';
import { fillLargeHome, newLargeRepository } from '../../test/support/server/large-home.ts';
import { printTable } from '../table.ts';
import { startStdioServer } from './stdio-server.ts';

/** As for the limits of the tests: a token has four bytes. */
const BYTES = 4;
const MOST_TOKENS = 1500;

const answer = z.object({
  result: z.object({
    content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]).rest(z.unknown()),
    structuredContent: z.unknown(),
    isError: z.boolean().optional(),
  }),
});

/**
 * Measures the default replies of the main tools on a home and a repository as months of work leave them. Returns whether all are
 * below the limit.
 */
export async function measureReplies(bin: string): Promise<boolean> {
  await using folder = await newFolder();
  await using repo = await newLargeRepository();
  const { scanId: scan_id, wizardId: wizard_id, qa } = await fillLargeHome(folder);
  const { projectId, testCaseId, testScriptId, useCaseId } = qa;
  const lcovPath = join(repo.path, 'coverage/lcov.info');
  const workingDirectory = repo.path;
  const calls: [tool: string, args: Record<string, unknown>][] = [
    ['get_uncovered_lines', { lcovPath }],
    ['get_patch_coverage', { lcovPath, repoPath: repo.path, base: 'main' }],
    ['caws_status', { workingDirectory }],
    ['caws_evaluate', { workingDirectory }],
    ['cwac_get_summary', { scan_id }],
    ['cwac_get_results', { scan_id }],
    ['cwac_list_scans', {}],
    ['federalrunner_list_wizards', {}],
    ['federalrunner_get_wizard_info', { wizard_id }],
    ['qa_project_list', {}],
    ['qa_use_case_discovery_memory_get', { projectId }],
    ['qa_use_case_get', { useCaseId }],
    ['qa_test_case_get', { testCaseId }],
    ['qa_test_script_list', { projectId }],
    ['qa_test_script_get', { testScriptId }],
    ['qa_workflow_get_test_script_replay_latest_run', { workflowRuntimeId: qa.replay }],
  ];
  const server = startStdioServer([bin, 'serve'], '2025-11-25', { ASSAY_HOME: join(folder.path, 'home') });
  await server.open();
  const sizes: { tool: string; bytes: number }[] = [];
  for (const [name, args] of calls) {
    const { result } = answer.parse(await server.request('tools/call', { name, arguments: args }));
    const [{ text }] = result.content;
    if (result.isError) throw new Error(`${name}: ${text}`);
    const structured = JSON.stringify(result.structuredContent) ?? '';
    sizes.push({ tool: name, bytes: Math.max(Buffer.byteLength(text), Buffer.byteLength(structured)) });
  }
  await server.close();
  const tokensOf = (bytes: number) => Math.ceil(bytes / BYTES);
  const isMet = sizes.every(({ bytes }) => tokensOf(bytes) <= MOST_TOKENS);
  printTable(
    `Default replies on a large home (tokens of ${BYTES} bytes)`,
    ['', 'bytes', 'tokens'],
    sizes.map(({ tool, bytes }) => [tool, String(bytes), String(tokensOf(bytes))]),
    `target: at most ${MOST_TOKENS} — ${isMet ? 'met' : 'MISSED'}`,
  );
  return isMet;
}
