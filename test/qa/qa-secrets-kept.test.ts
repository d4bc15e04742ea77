import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Connection,
  callOn,
  connectHttp,
  type HttpServer,
  type Result,
  runAssay,
  startHttp,
} from '../support/assay.ts';
import { type Folder, filesIn, newFolder } from '../support/folders.ts';
import { addScripts } from '../support/qa/qa.ts';
import { inStore, rowsIn } from '../support/qa/qa-results.ts';

let folder: Folder;
let home: string;
let server: HttpServer;
let client: Connection;
/** All answers, to search for secrets at the end. */
const answers: string[] = [];

beforeAll(async () => {
  folder = await newFolder();
  home = join(folder.path, 'home');
  const env = { ASSAY_HOME: home, ASSAY_LOG_LEVEL: 'trace' };
  server = await startHttp({
    args: ['--toolsets', 'qa', '--folders', '.', '--allow-addresses', '127.0.0.1'],
    cwd: folder.path,
    env,
  });
  client = await connectHttp('modern', server);
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function call(name: string, args: Record<string, unknown> = {}): Promise<Result> {
  const data = await callOn(client)(name, args);
  answers.push(JSON.stringify(data));
  return data;
}

/** The error of a call that must fail. */
async function error(name: string, args: Record<string, unknown>): Promise<Result> {
  const result = await client.callTool({ name, arguments: args });
  answers.push(JSON.stringify(result));
  expect(result.isError, `${name} ${JSON.stringify(args).slice(0, 200)}`).toBe(true);
  return result.structuredContent;
}

const newProject = async (projectName: string): Promise<string> =>
  (await call('qa_project_create', { projectName })).projectId;
const base64 = (content: string) => Buffer.from(content).toString('base64');

describe('secrets', () => {
  const value = 'S3cret-value/with+signs "and" ümlauts';
  const later = 'another-Value-93841';
  let projectId: string;
  let secretId: string;
  beforeAll(async () => {
    projectId = await newProject('Secrets');
  });

  test('are stored, listed and updated without their values', async () => {
    const description = `It is ${value}, for the test user`;
    const made = await call('qa_secret_create', { projectId, name: 'TEST_USER_PASSWORD', value, description });
    secretId = made.secretId;
    expect(made).toEqual({
      secretId: expect.stringMatching(/^sec_[a-z0-9]{12,}$/),
      id: secretId,
      projectId,
      name: 'TEST_USER_PASSWORD',
      secretName: 'TEST_USER_PASSWORD',
      description: 'It is [secret], for the test user',
      source: 'user',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await call('qa_secret_get', { secretId })).toEqual(made);
    expect((await call('qa_secret_list', { projectId })).data).toEqual([made]);
    const changed = await call('qa_secret_update', { secretId, name: 'PASSWORD', value: later });
    expect(changed).toMatchObject({ secretId, name: 'PASSWORD', description: 'It is [secret], for the test user' });
  });

  test.each([
    ['another’s name', { name: 'PASSWORD', value: later }, 'name'],
    ['a blank name', { name: '  ', value: later }, 'name'],
    ['a long name', { name: 'x'.repeat(256), value: later }, 'name'],
    ['its value for a name', { name: 'top-secret-93841', value: 'top-secret-93841' }, 'name'],
    ['its value in its name', { name: 'MY_TOP-SECRET-93841', value: 'top-secret-93841' }, 'name'],
    ['its encoded value in its name', { name: `b64 ${base64('top-secret-93841')}`, value: 'top-secret-93841' }, 'name'],
    ['the value of another in its name', { name: `OLD ${later}`, value: 'something else' }, 'name'],
    ['a user in its name', { name: 'kim-93841@x.example_USER', value: 'kim-93841@x.example' }, 'name'],
    ['a bracket in its name', { name: 'A]B', value: later }, 'name'],
    ['no value', { name: 'X', value: '' }, 'value'],
    ['a number', { name: 'X', value: 9384193841 }, 'value'],
    ['far too long a value', { name: 'X', value: later.repeat(1000) }, 'value'],
    ['a list of values', { name: 'X', value: [later] }, 'value'],
  ])('with %s are refused, without repeating the value', async (_what, args, field) => {
    const refused = await error('qa_secret_create', { projectId, ...args });
    expect(refused).toMatchObject({ error: 'INVALID_ARGUMENT', details: { field } });
    expect(JSON.stringify(refused)).not.toContain('93841');
  });

  test('have at most 50,000 bytes together, which the error names', async () => {
    const full = await newProject('Many tokens');
    const token = (index: number) => `${index}-ä-${'x'.repeat(9994)}`;
    const made: Result[] = [];
    for (let index = 0; index < 5; index++)
      made.push(await call('qa_secret_create', { projectId: full, name: `TOKEN_${index}`, value: token(index) }));
    const refused = await error('qa_secret_create', { projectId: full, name: 'TOKEN_5', value: token(5) });
    expect(refused).toMatchObject({ error: 'INVALID_ARGUMENT', details: { field: 'value' } });
    expect(refused['message']).toMatch(/would have 59994 bytes together, and the limit is 50000: .*qa_secret_delete/);
    await call('qa_secret_update', { secretId: made[0]?.['secretId'], value: token(6) });
    expect(
      await error('qa_secret_update', { secretId: made[0]?.['secretId'], value: `${token(6)}12345678901` }),
    ).toMatchObject({
      details: { field: 'value' },
    });
  });

  test('may be user names that occur in their own name, with names of 255 characters', async () => {
    const { secretId: id } = await call('qa_secret_create', { projectId, name: 'ADMIN_USER', value: 'admin' });
    expect(await call('qa_secret_update', { secretId: id, name: 'U'.repeat(255) })).toMatchObject({ secretId: id });
    await call('qa_secret_delete', { secretId: id });
  });

  test('are sealed at rest with a key that only its owner can read', async () => {
    expect(statSync(join(home, 'secret.key')).mode & 0o777).toBe(0o600);
    const [row] = rowsIn(home, 'select sealed from qa_secrets where id = ?', secretId);
    expect(row?.['sealed']).toMatch(/^[0-9a-f]{12}\.[\w-]+$/);
  });

  test('are encrypted with a new key by `assay secrets rotate`, which rejects a wrong key', async () => {
    const sealed = () => rowsIn(home, 'select sealed from qa_secrets where id = ?', secretId)[0]?.['sealed'];
    const before = sealed();
    const rotated = await runAssay(['secrets', 'rotate'], { env: { ASSAY_HOME: home } });
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('encrypted with a new key') });
    expect(sealed()).not.toBe(before);
    // The running server uses the new key.
    await call('qa_secret_update', { secretId, description: `now ${later}` });
    const env = { ASSAY_HOME: home, ASSAY_SECRET_KEY: 'ab'.repeat(32) };
    const wrong = await runAssay(['secrets', 'rotate'], { env });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('encrypted with the key') });
    const unknown = await runAssay(['secrets'], { env });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('assay secrets rotate') });
  });

  test('that cannot be opened are a backend error with the next step', async () => {
    const key = readFileSync(join(home, 'secret.key'), 'utf8');
    await folder.write('home/secret.key', `${Buffer.alloc(32, 9).toString('base64')}\n`);
    expect(await error('qa_secret_update', { secretId, description: 'x' })).toMatchObject({
      error: 'UPSTREAM_ERROR',
      message: expect.stringContaining('ASSAY_SECRET_KEY'),
      details: { reason: 'WRONG_SECRET_KEY' },
    });
    await folder.write('home/secret.key', key);
  });

  test('are removed when they are deleted', async () => {
    const { secretId: other } = await call('qa_secret_create', { projectId, name: 'OTHER', value: later });
    expect(await call('qa_secret_delete', { secretId: other })).toEqual({ secretId: other, deleted: true });
    expect(await error('qa_secret_get', { secretId: other })).toMatchObject({ error: 'NOT_FOUND' });
  });

  test('leave no values in answers, logs, database and files', () => {
    const forms = [value, later, '9384193841'].flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      new URLSearchParams({ v: secret }).toString().slice(2),
      secret.replaceAll('"', '&quot;'),
      base64(secret),
    ]);
    const contents = new Map([
      ['answers', Buffer.from(answers.join('\n'))],
      ['the log', Buffer.from(server.stderr())],
      ...filesIn(home).map((path) => [path, readFileSync(path)] as const),
    ]);
    expect([...contents.keys()].some((path) => path.endsWith('assay.db'))).toBe(true);
    expect(server.stderr()).toContain('qa_secret_create');
    for (const [where, bytes] of contents) for (const form of forms) expect(bytes.includes(form), where).toBe(false);
  });
});

describe('secret value in plain text', () => {
  const key = 'Open-Sesame-7';
  const projects = { before: '', after: '' };
  beforeAll(async () => {
    projects.before = await newProject('Before');
    projects.after = await newProject('After');
  });

  /** Writes the value and the user name into every text field. */
  async function writeAll(projectId: string): Promise<void> {
    const said = `Log in as kim@shop.example with ${key}, as an editor must.`;
    await call('qa_project_update', { projectId, projectName: said, description: said, testRequirements: said });
    const document = { fileName: `${key}.md`, contentBase64: base64(`# ${key}\n\n${said}\n\nREQ-1: ${said}`) };
    await call('qa_prd_file_upload', { projectId, ...document });
    const proposal = {
      projectId,
      title: said,
      description: said,
      notes: said,
      userStory: said,
      acceptanceCriteria: [said],
    };
    const { id } = await call('qa_use_case_candidate_propose', proposal);
    const { approved } = await call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds: [id] });
    await call('qa_test_case_upsert', {
      ...{ projectId, useCaseId: approved[0].useCaseId, url: 'http://127.0.0.1:9/login' },
      ...{ title: said, goal: said, expectedResult: said, instructions: said, precondition: said, tags: [key] },
    });
    await call('qa_workflow_start_website_scan', { projectId, url: 'http://127.0.0.1:9/', description: said });
  }

  const keep = async (projectId: string) => {
    await call('qa_secret_create', { projectId, name: 'PASSWORD', value: key, description: `${key} it is` });
    await call('qa_secret_create', {
      projectId,
      name: 'TEST_USER',
      value: 'kim@shop.example',
      description: `with ${key}`,
    });
    await call('qa_secret_create', { projectId, name: 'EDITOR_USER', value: 'editor' });
  };

  /** All rows of the project in all tables. */
  function rowsOf(projectId: string): string {
    const tables = rowsIn(home, "select name from sqlite_master where type = 'table' and name like 'qa_%'");
    const all = tables.map(({ name }) => {
      const column = name === 'qa_projects' ? 'id' : 'project_id';
      return rowsIn(home, `select * from ${name} where ${column} = ?`, projectId);
    });
    return JSON.stringify(all);
  }

  test.each(['before', 'after'] as const)('%s its secret was created is redacted, like the user name', async (when) => {
    const projectId = projects[when];
    if (when === 'before') await writeAll(projectId);
    await keep(projectId);
    if (when === 'after') await writeAll(projectId);
    const kept = rowsOf(projectId);
    for (const value of [key, base64(key), 'kim@shop.example']) expect(kept).not.toContain(value);
    expect(kept).toContain('Log in as [secret] with [secret]');
    // A user name that is a plain word is not redacted.
    expect(kept).toContain('as an editor must');
    const project = await call('qa_project_get', { projectId });
    expect(project.testRequirements).toBe('Log in as [secret] with [secret], as an editor must.');
  });

  test('is kept out of the names and descriptions of other secrets', async () => {
    const { data } = await call('qa_secret_list', { projectId: projects.after });
    const { secretId } = data.find(({ name }: Result) => name === 'TEST_USER');
    const changed = await call('qa_secret_update', { secretId, description: `goes with ${key}` });
    expect(changed.description).toBe('goes with [secret]');
    expect(await error('qa_secret_update', { secretId, name: `WITH ${key}` })).toMatchObject({
      error: 'INVALID_ARGUMENT',
      details: { field: 'name' },
    });
  });

  test('is rejected as part of a URL', async () => {
    const url = `https://shop.example/?token=${key}`;
    const projectId = projects.after;
    const attempts: [string, Record<string, unknown>, string][] = [
      ['qa_project_update', { url }, 'url'],
      ['qa_workflow_start_website_scan', { url, description: 'x' }, 'url'],
      ['qa_use_case_candidate_propose', { title: 'x', description: 'y', pageUrl: url }, 'pageUrl'],
    ];
    for (const [name, args, field] of attempts) {
      const refused = await error(name, { projectId, ...args });
      expect(refused, name).toMatchObject({ error: 'INVALID_ARGUMENT', details: { field } });
      expect(JSON.stringify(refused)).not.toContain(key);
    }
  });
});

test('redacts a new secret value in existing scripts and results, and the scripts still run', async () => {
  const projectId = await newProject('Written before');
  const key = 'tok-99aa88bb77';
  const script = {
    name: 'Open it',
    steps: [
      { do: 'goto' as const, url: `/in?t=${key}` },
      { do: 'expectText' as const, text: `Hello ${key}`, oracle: 'observed' as const },
    ],
    owner: String(rowsIn(home, 'select owner from qa_projects')[0]?.['owner']),
  };
  const [testScriptId = ''] = await addScripts(home, projectId, 'https://shop.example', [script]);
  await inStore(home, async ({ testScripts, runtimes, runs, stepResults }) => {
    const of = { projectId, owner: script.owner };
    const latest = { verdict: 'failed', failureClass: null, error: `No ${key}`, runId: 'wfrun_1', at: 1, healed: 0 };
    await testScripts.update(testScriptId, { name: `Open ${key}`, details: { latest } });
    const runtime = await runtimes.insert({ ...of, kind: 'qa.replay', status: 'active', payload: {}, inside: null });
    const facts = { runtimeId: runtime.id, kind: 'qa.replay', status: 'failed', progress: 100, checkpoint: null };
    const run = await runs.insert({ ...of, ...facts, result: { reason: `No ${key}` } });
    const step = { runId: run.id, attempt: 1, position: 0, action: 'goto', status: 'failed', healed: 0, durationMs: 1 };
    await stepResults.insert({ ...of, ...step, description: `Open /in?t=${key}`, error: `No ${key}`, details: {} });
  });
  await call('qa_secret_create', { projectId, name: 'API_TOKEN', value: key });
  const tables = rowsIn(home, "select name from sqlite_master where type = 'table' and name like 'qa_%'");
  const rows = tables.map(({ name }) =>
    rowsIn(home, `select * from ${name} where ${name === 'qa_projects' ? 'id' : 'project_id'} = ?`, projectId),
  );
  expect(JSON.stringify(rows)).not.toContain(key);
  expect(await call('qa_test_script_get', { testScriptId })).toMatchObject({
    secrets: ['API_TOKEN'],
    steps: [{ url: '/in?t=[secret:API_TOKEN]' }, { text: 'Hello [secret:API_TOKEN]' }],
    spec: expect.stringContaining("process.env['API_TOKEN']"),
  });
});

test('renames a secret in every script, case and URL', async () => {
  const projectId = await newProject('Renamed');
  const { secretId } = await call('qa_secret_create', { projectId, name: 'OLD_PASSWORD', value: 'pass-Phrase-55' });
  await call('qa_secret_create', { projectId, name: 'OLD_PASSWORD_2', value: 'pass-Word-66' });
  const on = { name: 'Password', ladder: [{ by: 'label' as const, value: 'Password [secret:OLD_PASSWORD_2]' }] };
  const steps = [
    { do: 'goto' as const, url: '/in?p=[secret-uri:OLD_PASSWORD]' },
    { do: 'fillSecret' as const, on, secret: 'OLD_PASSWORD' },
    { do: 'expectText' as const, text: 'Hello [secret:OLD_PASSWORD]', oracle: 'observed' as const },
  ];
  const secrets = ['OLD_PASSWORD', 'OLD_PASSWORD_2'];
  const script = {
    name: 'Log in',
    steps,
    secrets,
    owner: String(rowsIn(home, 'select owner from qa_secrets')[0]?.['owner']),
  };
  const [testScriptId] = await addScripts(home, projectId, 'https://shop.example', [script]);
  await call('qa_secret_update', { secretId, name: 'NEW' });
  const kept = await call('qa_test_script_get', { testScriptId });
  expect(kept.secrets).toEqual(['NEW', 'OLD_PASSWORD_2']);
  expect(kept.steps).toMatchObject([
    { url: '/in?p=[secret-uri:NEW]' },
    { secret: 'NEW', on: { ladder: [{ value: 'Password [secret:OLD_PASSWORD_2]' }] } },
    { text: 'Hello [secret:NEW]' },
  ]);
});
