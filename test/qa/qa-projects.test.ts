import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { docx, pdf, pdfBomb } from '../../src/qa/prd/test-documents.ts';
import {
  type Connection,
  callOn,
  connectHttp,
  connectStdio,
  type HttpServer,
  type Result,
  startHttp,
} from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { type Provider, startProvider } from '../support/services/provider.ts';

const audience = 'https://assay.example/mcp';
let provider: Provider;
let folder: Folder;
let home: string;
let server: HttpServer;
let alice: Connection;
let bob: Connection;

beforeAll(async () => {
  provider = await startProvider(audience);
  folder = await newFolder();
  home = join(folder.path, 'home');
  const args = [
    '--max-message-bytes',
    '16777216',
    '--toolsets',
    'qa',
    '--oauth-issuer',
    provider.issuer,
    '--public-url',
    audience,
    '--folders',
    '.',
  ];
  const env = { ASSAY_HOME: home };
  server = await startHttp({ args, cwd: folder.path, env });
  [alice, bob] = await Promise.all([as('alice'), as('bob')]);
});
afterAll(async () => {
  await alice[Symbol.asyncDispose]();
  await bob[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function as(subject: string): Promise<Connection> {
  const token = await provider.token({ sub: subject, client_id: subject, scope: 'qa:write' }, { expiresIn: 3600 });
  return connectHttp('modern', { url: server.url, token });
}

const call = (name: string, args: Record<string, unknown> = {}, client = alice): Promise<Result> =>
  callOn(client)(name, args);

/** The error of a call that must fail; text and structured content must agree. */
async function error(name: string, args: Record<string, unknown>, client = alice): Promise<Result> {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError, `${name} ${JSON.stringify(args).slice(0, 200)}`).toBe(true);
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  const failure = JSON.parse(text);
  if (client === alice) expect(failure).toEqual(result.structuredContent);
  expect(Object.keys(failure)).toEqual(['error', 'message', 'details']);
  return failure;
}

const newProject = async (projectName = 'Shop'): Promise<string> =>
  (await call('qa_project_create', { projectName })).projectId;
const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');

describe('projects', () => {
  test('are created, read, updated by field and listed by page', async () => {
    const site = { description: 'All of it', url: 'https://shop.example', testRequirements: 'Log in, buy' };
    const made = await call('qa_project_create', { projectName: 'My Website Tests', ...site });
    const { projectId } = made;
    expect(made).toMatchObject({
      projectId: expect.stringMatching(/^proj_[a-z0-9]{12,}$/),
      projectName: 'My Website Tests',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      ...site,
    });
    expect(await call('qa_project_get', { projectId })).toMatchObject({ ...made, counts: { secrets: 0, useCases: 0 } });
    const changed = await call('qa_project_update', { projectId, description: '', url: 'https://new.example' });
    const { description, ...rest } = made;
    expect(changed).toEqual({ ...rest, url: 'https://new.example', updatedAt: expect.any(String) });
    for (let i = 0; i < 3; i++) await newProject(`More ${i}`);
    const first = await call('qa_project_list', { pageSize: 2 });
    expect(first).toMatchObject({ page: 1, pageSize: 2, totalCount: 4, totalPages: 2, hasMore: true });
    expect(await call('qa_project_list')).toMatchObject({ page: 1, pageSize: 20, hasMore: false });
    expect(await call('qa_project_list', { page: 5 })).toMatchObject({ data: [], page: 5, totalCount: 4 });
  });

  test.each([
    ['qa_project_create', {}, 'projectName'],
    ['qa_project_create', { projectName: '   ' }, 'projectName'],
    ['qa_project_create', { projectName: 'x'.repeat(256) }, 'projectName'],
    ['qa_project_create', { projectName: 'x', url: 'file:///etc/passwd' }, 'url'],
    ['qa_project_create', { projectName: 'x', url: 'javascript:alert(1)' }, 'url'],
    ['qa_project_create', { projectName: 'x', url: 'https://me:pw@shop.example' }, 'url'],
    ['qa_project_create', { projectName: 'x', colour: 'red' }, 'colour'],
    ['qa_project_list', { page: 0 }, 'page'],
    ['qa_project_list', { page: 1.5 }, 'page'],
    ['qa_project_list', { page: '2' }, 'page'],
    ['qa_project_list', { pageSize: 101 }, 'pageSize'],
    ['qa_project_list', { pageSize: 0 }, 'pageSize'],
  ])('%s refuses %j, naming the field', async (name, args, field) => {
    expect(await error(name, args)).toMatchObject({ error: 'INVALID_ARGUMENT', details: { field } });
  });

  test('have names of up to 255 characters, and updates need a field', async () => {
    const { projectId, projectName } = await call('qa_project_create', { projectName: 'x'.repeat(255) });
    expect(projectName).toHaveLength(255);
    expect(await error('qa_project_update', { projectId })).toMatchObject({ error: 'INVALID_ARGUMENT' });
    expect(await error('qa_project_update', { projectId, projectName: 'y'.repeat(256) })).toMatchObject({
      details: { field: 'projectName' },
    });
  });

  test('of other owners are forbidden, unknown ids are not found, and a missing token is rejected', async () => {
    const projectId = await newProject('Private');
    const { secretId } = await call('qa_secret_create', { projectId, name: 'A', value: 'some value' });
    const attempts: [string, Record<string, unknown>][] = [
      ['qa_project_get', { projectId }],
      ['qa_project_update', { projectId, projectName: 'Mine' }],
      ['qa_prd_file_upload', { projectId, fileName: 'a.txt', contentBase64: base64('The user must log in.') }],
      ['qa_prd_file_list_by_project', { projectId }],
      ['qa_prd_file_delete', { projectId, prdFileId: 'prd_x' }],
      ['qa_secret_create', { projectId, name: 'B', value: 'x' }],
      ['qa_secret_list', { projectId }],
      ['qa_secret_get', { secretId }],
      ['qa_secret_update', { secretId, name: 'B' }],
      ['qa_secret_delete', { secretId }],
      ['qa_use_case_discovery_memory_get', { projectId }],
      ['qa_use_case_list', { projectId }],
      ['qa_use_case_candidate_propose', { projectId, title: 'x', description: 'y' }],
      ['qa_use_case_candidates_approve', { projectId, approvedCandidateIds: ['cand_x'] }],
      ['qa_use_case_candidates_drop', { projectId, candidateIds: ['cand_x'] }],
    ];
    for (const [name, args] of attempts) {
      expect(await error(name, args, bob), name).toMatchObject({
        error: 'FORBIDDEN',
        details: { field: expect.any(String) },
      });
      const unknown = { ...args, ...('secretId' in args ? { secretId: 'sec_none' } : { projectId: 'proj_none' }) };
      expect(await error(name, unknown), name).toMatchObject({
        error: 'NOT_FOUND',
        details: { field: expect.any(String) },
      });
    }
    expect((await call('qa_project_list', {}, bob)).totalCount).toBe(0);
    const stranger = await fetch(server.url, { method: 'POST' });
    expect([stranger.status, await stranger.text()]).toEqual([401, expect.stringContaining('UNAUTHORIZED')]);
  });
});

describe('requirements documents', () => {
  let projectId: string;
  beforeAll(async () => {
    projectId = await newProject('Documents');
  });
  const upload = (content: string | Buffer, more: Record<string, unknown> = {}) =>
    call('qa_prd_file_upload', { projectId, fileName: 'prd.txt', contentBase64: base64(content), ...more });

  test('are read by content, listed, and deleted with their requirements', async () => {
    const said = 'The customer must log in. The customer should see orders.';
    const made = await upload(pdf([said]), { fileName: 'requirements.txt', contentType: 'text/plain' });
    expect(made).toMatchObject({
      prdFileId: expect.stringMatching(/^prd_[a-z0-9]{12,}$/),
      contentType: 'application/pdf',
      contentChecksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      requirementCount: 2,
    });
    const word = await upload(docx(`<w:p><w:r><w:t>${said}</w:t></w:r></w:p>`));
    expect(word.contentType).toContain('wordprocessingml');
    const listed = await call('qa_prd_file_list_by_project', { projectId });
    expect(listed).toMatchObject({ totalCount: 2, data: [{ id: made.id }, { id: word.id, requirementCount: 2 }] });
    const memory = () => call('qa_use_case_discovery_memory_get', { projectId });
    // No scan has run, so every requirement is a gap.
    const unsought = { requirementId: expect.stringMatching(/^req_/), reason: 'No scan has looked for it yet.' };
    expect(await memory()).toMatchObject({
      requirements: { total: 4, gaps: 4 },
      gaps: [{ ...unsought, requirement: 'The customer must log in.' }, unsought, unsought, unsought],
    });
    const gone = { projectId, prdFileId: made.prdFileId };
    expect(await call('qa_prd_file_delete', gone)).toEqual({ ...gone, deleted: true });
    expect(await error('qa_prd_file_delete', gone)).toMatchObject({
      error: 'NOT_FOUND',
      details: { field: 'prdFileId' },
    });
    expect(await memory()).toMatchObject({ requirements: { total: 2, gaps: 2 } });
  });

  test('without requirements are stored with a note', async () => {
    const { message, requirementCount } = await upload('Hello, world');
    expect({ message, requirementCount }).toEqual({
      message: 'PRD file uploaded successfully. No requirement was recognised in it, so it steers no scan.',
      requirementCount: 0,
    });
  });

  test('leave no temporary copy, also after a crash', async () => {
    const left = await folder.write('home/qa/uploads/left-over', 'The user must log in.');
    utimesSync(left, new Date(0), new Date(0));
    await upload('Nobody may read the files of another.');
    expect(readdirSync(join(home, 'qa', 'uploads'))).toEqual([]);
  });

  test('are unique per project by content', async () => {
    const content = 'Visitors must find the imprint.';
    const { prdFileId } = await upload(content);
    const again = { projectId, fileName: 'other.md', contentBase64: base64(content) };
    expect(await error('qa_prd_file_upload', again)).toMatchObject({
      error: 'INVALID_ARGUMENT',
      details: { field: 'contentBase64', existingPrdFileId: prdFileId },
    });
    expect((await upload(`${content} Always.`)).prdFileId).not.toBe(prdFileId);
    expect((await upload(content, { projectId: await newProject('Twin') })).prdFileId).toMatch(/^prd_/);
  });

  test.each([
    ['a renamed picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /PNG picture/],
    ['an encrypted PDF', pdf(['x'], { encrypted: true }), /protected by a password/],
    ['a damaged PDF', Buffer.from('%PDF-1.4 and then nothing'), /damaged PDF/],
    ['an entity', docx('<w:p/>', '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), /XML entities/],
    ['a bomb', docx(`<!--${' '.repeat(60 * 1024 * 1024)}-->`), /unpacks to far more/],
    ['a bomb in a PDF', pdfBomb(), /more time or memory/],
    ['one byte too much', Buffer.alloc(10 * 1024 * 1024 + 1, 65), /larger than 10 MB/],
  ])('are rejected: %s', async (_what, content, message) => {
    const args = { projectId, fileName: 'requirements.pdf', contentBase64: base64(content) };
    const { error: code, message: said, details } = await error('qa_prd_file_upload', args);
    expect([code, details.field]).toEqual(['INVALID_ARGUMENT', 'contentBase64']);
    expect(said).toMatch(message);
  });

  test.each([
    ['rubbish', 'SGVsbG8*'],
    ['cut off', 'SGVsbG8'],
    ['wrongly padded', 'SGVs=bG8'],
    ['blank', ' \n'],
    ['of an address', 'data:text/plain;base64,SGVsbG8='],
  ])('are rejected as base64: %s', async (_what, contentBase64) => {
    const args = { projectId, fileName: 'a.txt', contentBase64 };
    expect(await error('qa_prd_file_upload', args)).toMatchObject({
      error: 'INVALID_ARGUMENT',
      details: { field: 'contentBase64' },
    });
  });

  test('accept wrapped base64 of up to 10 MB and a plain file name', async () => {
    const wrapped = base64('The user must see a wrapped line.').replaceAll(/.{10}/g, '$&\r\n ');
    expect(await upload('', { contentBase64: wrapped })).toMatchObject({ requirementCount: 1 });
    const most = Buffer.concat([Buffer.from('%PDF-1.4 and then nothing'), Buffer.alloc(10 * 1024 * 1024 - 25, 32)]);
    const full = { projectId, fileName: 'a.pdf', contentBase64: base64(most) };
    expect(await error('qa_prd_file_upload', full)).toMatchObject({ details: { reason: 'DAMAGED' } });
    const args = { projectId, fileName: 'a.txt', contentBase64: 'SGVsbG8*' };
    const odd = await upload('The user must see what an option does.', {
      fileName: '--help',
      contentType: '--version',
    });
    expect(odd).toMatchObject({ fileName: '--help', requirementCount: 1 });
    expect(await error('qa_prd_file_upload', { ...args, fileName: '../a.txt' })).toMatchObject({
      details: { field: 'fileName' },
    });
  });
});

describe('use cases', () => {
  let projectId: string;
  beforeAll(async () => {
    projectId = (await call('qa_project_create', { projectName: 'Cases', url: 'https://shop.example' })).projectId;
  });
  const propose = (title: string, more: Record<string, unknown> = {}) =>
    call('qa_use_case_candidate_propose', { projectId, title, description: `${title}, as a customer`, ...more });

  test('are proposed, listed in the discovery memory, approved once and read', async () => {
    const more = {
      notes: 'A form with an e-mail field',
      useCaseClass: 'reset',
      acceptanceCriteria: ['A mail arrives'],
    };
    const made = await propose('Reset the password', more);
    expect(made).toMatchObject({
      id: expect.stringMatching(/^cand_/),
      status: 'candidate',
      comments: [{ notes: more.notes }],
    });
    expect((await propose('Reset the password', { ...more, priority: 'HIGH' })).id).toBe(made.id);
    const memory = await call('qa_use_case_discovery_memory_get', { projectId });
    expect(memory).toMatchObject({
      projectId,
      useCaseCandidates: [
        {
          id: made.id,
          useCase: { title: 'Reset the password', description: 'Reset the password, as a customer', priority: 'HIGH' },
          comments: [{ pageUrl: 'https://shop.example', notes: more.notes }],
        },
      ],
      gaps: [],
      totalCount: 1,
    });
    const approve = { projectId, approvedCandidateIds: [made.id, made.id] };
    const { approved } = await call('qa_use_case_candidates_approve', approve);
    expect(approved).toMatchObject([{ candidateId: made.id, alreadyApproved: false }]);
    const [{ useCaseId }] = approved;
    expect((await call('qa_use_case_candidates_approve', approve)).approved).toMatchObject([
      { useCaseId, alreadyApproved: true },
    ]);
    expect(await call('qa_use_case_list', { projectId })).toMatchObject({ totalCount: 1, data: [{ useCaseId }] });
    expect(await call('qa_use_case_get', { useCaseId })).toMatchObject({
      useCaseId,
      projectId,
      title: 'Reset the password',
      useCaseBreakdown: [{ acceptanceCriteria: 'A mail arrives' }],
      comments: [{ notes: more.notes }],
      counts: { testCases: 0, testScripts: 0 },
    });
    expect(await error('qa_use_case_get', { useCaseId }, bob)).toMatchObject({ error: 'FORBIDDEN' });
    expect(await error('qa_use_case_get', { useCaseId: 'uc_none' })).toMatchObject({ error: 'NOT_FOUND' });
    const [statuses] = [['graduated']];
    expect((await call('qa_use_case_discovery_memory_get', { projectId, statuses })).useCaseCandidates).toMatchObject([
      { useCaseId },
    ]);
  });

  test('are created once by concurrent approvals', async () => {
    const { id } = await propose('Buy');
    const both = await Promise.all(
      [1, 2, 3].map(() => call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds: [id] })),
    );
    expect(new Set(both.map(({ approved }) => approved[0].useCaseId)).size).toBe(1);
  });

  test('report the candidates that cannot be approved', async () => {
    const [good, dropped] = [await propose('Search'), await propose('Chat')];
    const proposal = { projectId: await newProject(), title: 'x', description: 'y' };
    const { id: foreign } = await call('qa_use_case_candidate_propose', proposal);
    const drop = { projectId, candidateIds: [dropped.id] };
    expect(await call('qa_use_case_candidates_drop', drop)).toMatchObject({
      dropped: [{ alreadyDropped: false }],
      failed: [],
    });
    expect(await call('qa_use_case_candidates_drop', drop)).toMatchObject({ dropped: [{ alreadyDropped: true }] });
    const ids = [good.id, dropped.id, foreign, 'cand_none'];
    const { approved, failed } = await call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds: ids });
    expect(approved).toMatchObject([{ candidateId: good.id }]);
    expect(failed).toMatchObject([
      { candidateId: dropped.id, error: 'INVALID_ARGUMENT' },
      { candidateId: foreign, error: 'NOT_FOUND' },
      { candidateId: 'cand_none', error: 'NOT_FOUND' },
    ]);
    const unknown = { projectId, approvedCandidateIds: ['cand_none'] };
    expect(await error('qa_use_case_candidates_approve', unknown)).toMatchObject({
      error: 'NOT_FOUND',
      details: { failed: [{ candidateId: 'cand_none' }] },
    });
    expect(await error('qa_use_case_candidates_approve', { projectId, approvedCandidateIds: [] })).toMatchObject({
      error: 'INVALID_ARGUMENT',
      details: { field: 'approvedCandidateIds' },
    });
    expect(await error('qa_use_case_candidates_drop', { projectId, candidateIds: [good.id] })).toMatchObject({
      error: 'INVALID_ARGUMENT',
      message: expect.stringContaining('is a use case now'),
    });
  });
});

test('rejects the cancellation of an unknown workflow', async () => {
  expect(await error('qa_workflow_cancel_run', { workflowRunId: 'wfrun_none' })).toMatchObject({
    error: 'NOT_FOUND',
    details: { field: 'workflowRunId' },
  });
  expect(await error('qa_workflow_cancel_runtime', { workflowRuntimeId: 'wfrt_none' })).toMatchObject({
    error: 'NOT_FOUND',
    details: { field: 'workflowRuntimeId' },
  });
});

test('two servers share a home folder, and a missing table is reported as damage with its path', async () => {
  await using other = await newFolder();
  const env = { ASSAY_HOME: other.path };
  await using first = await connectStdio('modern', { env });
  await using second = await connectStdio('legacy', { env });
  const { projectId } = await call('qa_project_create', { projectName: 'Shared' }, first);
  expect(await call('qa_project_get', { projectId }, second)).toMatchObject({ projectName: 'Shared' });
  const database = new DatabaseSync(join(other.path, 'assay.db'));
  database.exec('drop table qa_gaps');
  database.close();
  expect(await error('qa_use_case_discovery_memory_get', { projectId }, second)).toMatchObject({
    error: 'UPSTREAM_ERROR',
    message: expect.stringContaining(join(other.path, 'assay.db')),
    details: { reason: 'STORE_DAMAGED' },
  });
});
