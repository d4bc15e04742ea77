import { expect, test } from 'vitest';
import { type Connection, connectHttp, connectStdio, runAssay, startHttp } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';

const longest = 'qa_workflow_get_latest_test_script_generation_runtime_by_test_case';
const names = async (client: Connection) => (await client.listTools()).tools;
const environment = (folder: Folder) => ({ ASSAY_HOME: folder.path });

test('lists a short name of at most 64 characters, and answers to both', async () => {
  await using folder = await newFolder();
  await using client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env: environment(folder) });
  const listed = await names(client);
  expect(listed.filter(({ name }) => name.length > 64)).toEqual([]);
  const short = listed.find(({ name }) => name.startsWith('qa_workflow_get_latest_test_script'));
  expect(short?.description).toContain(`Short name of ${longest}.`);
  const answers = await Promise.all(
    [longest, short?.name ?? ''].map((name) => client.callTool({ name, arguments: { testCaseId: 'tc_none' } })),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(JSON.stringify(answers[0])).toContain('There is no test case');
  await using without = await connectStdio('modern', { args: ['--exclude-tools', short?.name ?? ''] });
  expect((await names(without)).map(({ name }) => name)).not.toContain(short?.name);
  const cli = await runAssay(['call', short?.name ?? '', '--test-case-id', 'tc_none'], { env: environment(folder) });
  expect(cli.stderr).toContain('There is no test case');
});

test('lists the specified name for 0, and shorter ones for hosts with prefixes', async () => {
  await using specified = await connectStdio('modern', { args: ['--max-name-length', '0'] });
  expect((await names(specified)).map(({ name }) => name)).toContain(longest);
  await using server = await startHttp({ args: ['--toolsets', 'qa', '--max-name-length', '40'] });
  await using client = await connectHttp('modern', server);
  const listed = await names(client);
  expect(listed.filter(({ name }) => name.length > 40)).toEqual([]);
  const answer = await client.callTool({ name: longest, arguments: { testCaseId: 'tc_none' } });
  expect(JSON.stringify(answer)).toContain('There is no test case');
  await using own = await connectHttp('modern', server, { query: '?max-name-length=0' });
  expect((await names(own)).map(({ name }) => name)).toContain(longest);
});

test('finds and calls a long name in lean mode', async () => {
  await using client = await connectStdio('modern', { args: ['--lean', '--toolsets', 'qa'] });
  const query = 'latest generation that produced the script of one test case';
  const found = await client.callTool({ name: 'assay_find_tools', arguments: { query, limit: 20 } });
  const text = JSON.stringify(found.structuredContent);
  const [, short = ''] = /"(qa_workflow_get_latest_test_script_generation_runtime\w*)"/.exec(text) ?? [];
  expect(short.length).toBeLessThanOrEqual(64);
  for (const name of [short, longest]) {
    const args = { name, arguments: { testCaseId: 'tc_none' } };
    const answer = await client.callTool({ name: 'assay_call_tool', arguments: args });
    expect(JSON.stringify(answer)).toContain('There is no test case');
  }
});

test('refuses a limit that leaves no name', async () => {
  const { code, stderr } = await runAssay(['serve', '--max-name-length', '10']);
  expect(code).toBe(2);
  expect(stderr).toContain('--max-name-length');
});
