import { afterAll, beforeAll } from 'vitest';
import { type Connection, connectStdio } from '../assay.ts';
import { type Folder, newFolder } from '../folders.ts';
import { isolatedGit } from '../git/repos.ts';

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: each tool has its own result, and the tests say which
  data: any;
  text: string;
  isError: boolean;
}

/** One server for all tests of a file. Each repository is a separate working directory. */
export function standardsServer() {
  let home: Folder;
  let client: Connection;
  beforeAll(async () => {
    home = await newFolder();
    client = await connectStdio('modern', { cwd: home.path, args: ['--toolsets', 'standards'], env: isolatedGit });
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });
  async function call(name: string, repo: { path: string }, args: Record<string, unknown> = {}): Promise<Answer> {
    const result = await client.callTool({ name, arguments: { workingDirectory: repo.path, ...args } });
    const [content] = result.content;
    const text = content?.type === 'text' ? content.text : '';
    return { data: result.structuredContent, text, isError: result.isError === true };
  }
  return {
    call,
    /** The result of caws_evaluate. */
    evaluate: async (repo: { path: string }) => (await call('caws_evaluate', repo, { detail: true })).data.evaluation,
    /** The folder that the server was started in. */
    folder: () => home,
  };
}

type Criterion = { id: string; status: string; blocking: boolean; actual: number | null; details: string[] };
export const criterion = (evaluation: { criteria: Criterion[] }, id: string) =>
  evaluation.criteria.find((one) => one.id === id);

export const waiver = (changes: Record<string, unknown> = {}) => ({
  id: 'WV-0001',
  title: 'No mutation tests yet',
  reason: 'infrastructure_limitation',
  description: 'The runner cannot do it',
  gates: ['mutation_threshold'],
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2099-01-01T00:00:00.000Z',
  approved_by: 'the lead',
  impact_level: 'low',
  mitigation_plan: 'Review by hand',
  status: 'active',
  ...changes,
});
