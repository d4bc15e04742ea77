import { strFromU8, unzipSync } from 'fflate';
import { type GuestBook, startGuestBook } from '../../sites/guest-book.ts';
import { scanEnvironment } from '../accessibility/accessibility.ts';
import { type Connection, connectStdio, type Result } from '../assay.ts';
import { type Folder, newFolder } from '../folders.ts';
import { type Qa, qaOn } from './qa.ts';

/** A guest book, and a server with a project for it, whose form is an approved use case. */
export interface TestedGuestBook extends AsyncDisposable, Qa {
  folder: Folder;
  env: Record<string, string>;
  client: Connection;
  site: GuestBook;
  projectId: string;
  useCaseId: string;
  /** The test case whose title contains these words. */
  caseNamed(words: string): Promise<Result>;
  replay(testScriptId: string, more?: Record<string, unknown>): Promise<Result>;
  /** The text of a trace. */
  traceIn(artifacts: Result): Promise<string>;
}

export async function startTestedGuestBook(): Promise<TestedGuestBook> {
  const folder = await newFolder();
  const env = await scanEnvironment(folder);
  const site = await startGuestBook();
  const client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env });
  const qa = qaOn(client);
  const { call, ended } = qa;
  const { projectId } = await call('qa_project_create', { projectName: 'Guest book', url: site.url });
  const scan = { projectId, url: site.url, description: 'The form' };
  await ended('scan', await call('qa_workflow_start_website_scan', scan));
  const { useCaseCandidates } = await call('qa_use_case_discovery_memory_get', { projectId });
  const form = useCaseCandidates.find(({ comments }: Result) => comments[0].pageUrl.endsWith('/write'));
  await call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds: [form.id] });
  const { id: useCaseId } = (await call('qa_use_case_list', { projectId })).data[0];
  return {
    ...qa,
    ...{ folder, env, client, site, projectId, useCaseId },
    async caseNamed(words) {
      const { data } = await call('qa_test_case_list_by_use_case', { useCaseId, pageSize: 100 });
      return data.find(({ title }: Result) => title.includes(words));
    },
    replay: async (testScriptId, more = {}) =>
      ended('replay', await call('qa_workflow_start_test_script_replay', { projectId, testScriptId, ...more })),
    async traceIn({ trace }) {
      const { contents } = await client.readResource({ uri: `qa://artifacts/${trace}` });
      const [content] = contents;
      const entries = unzipSync(Buffer.from(content && 'blob' in content ? content.blob : '', 'base64'));
      return Object.values(entries)
        .map((entry) => strFromU8(entry))
        .join('\n');
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
