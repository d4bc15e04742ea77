import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { scanEnvironment } from './support/accessibility.ts';
import {
  type Connection,
  callOn,
  connectHttp,
  connectStdio,
  type Result,
  runAssay,
  startHttp,
} from './support/assay.ts';
import { type Folder, newFolder } from './support/folders.ts';
import { addResults, type KnownTest } from './support/qa-results.ts';
import { type MailServer, type Receiver, startMailServer, startReceiver } from './support/receivers.ts';

// Browsers on a machine that others use, too.
vi.setConfig({ testTimeout: 120_000 });

type Call = (name: string, args?: Record<string, unknown>) => Promise<Result>;

const SECRET = 'correct-horse-battery';
const tests: KnownTest[] = [
  { title: 'Pay by card', verdicts: ['passed', 'flaky', 'passed'] },
  {
    title: `Pay with ${SECRET}`,
    verdicts: ['passed', 'failed'],
    failureClass: 'product defect',
    error: `The page said "${SECRET}" <script>alert(1)</script>`,
  },
  { title: 'Pay by invoice', verdicts: ['flaky'], error: 'Not seen at first' },
  { title: 'Pay later', verdicts: ['passed'], healed: 1 },
  { title: 'Pay never', verdicts: [] },
];

let folder: Folder;
let env: Record<string, string>;
let home: string;
let mail: MailServer;
let sms: Receiver;
let client: Connection;
let call: Call;
beforeAll(async () => {
  folder = await newFolder();
  mail = await startMailServer({ refusals: 1 });
  sms = await startReceiver([202]);
  env = {
    ...(await scanEnvironment(folder)),
    ASSAY_SMTP_URL: mail.url,
    ASSAY_MAIL_FROM: 'reports@shop.example',
    ASSAY_SMS_URL: `${sms.url}/send`,
    ASSAY_SMS_TOKEN: 'token-of-the-provider',
    ASSAY_PRICES: '{"currency":"EUR","browserSecond":0.5,"megabyte":2}',
  };
  home = env['ASSAY_HOME'] ?? '';
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env });
  call = callOn(client);
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
  await sms[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function newProject(known: readonly KnownTest[] = tests): Promise<string> {
  const { projectId } = await call('qa_project_create', { projectName: 'Corner shop', url: 'http://shop.example/' });
  await addResults(home, projectId, known);
  return projectId;
}

/** The state of the project's newest report when it has ended. */
async function reportOf(projectId: string, wishes: Record<string, unknown> = {}): Promise<Result> {
  const { reportId } = await call('qa_report_final_generate', { projectId, ...wishes });
  return vi.waitFor(
    async () => {
      const { latestReport } = await call('qa_report_stats_summary_get', { projectId });
      expect(latestReport.reportId).toBe(reportId);
      expect(latestReport.status).toMatch(/succeeded|failed|cancelled/);
      return latestReport;
    },
    { timeout: 60_000, interval: 200 },
  );
}

async function fileOf(report: Result, name: string): Promise<Buffer> {
  const { uri } = report.files.find((file: Result) => file.name === name);
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  return content && 'blob' in content ? Buffer.from(content.blob, 'base64') : Buffer.alloc(0);
}

describe('a report that is sent to everybody', () => {
  let receiver: Receiver;
  let projectId: string;
  let webhookSecret: string;
  let report: Result;
  beforeAll(async () => {
    receiver = await startReceiver([503, 500, 200]);
    projectId = await newProject();
    await call('qa_secret_create', { projectId, name: 'CARD', value: SECRET });
    const set = await call('qa_report_preferences_upsert', {
      projectId,
      channels: ['email', 'sms', 'webhook'],
      emails: ['team@shop.example', 'nobody@shop.example'],
      phones: ['+15551234567'],
      webhookUrl: `${receiver.url}/hooks/private-path`,
      defaultExportFormat: 'pdf',
    });
    expect(set).toMatchObject({ notConfigured: [], defaultExportFormat: 'pdf' });
    webhookSecret = set.webhookSecret;
    report = await reportOf(projectId);
  }, 90_000);
  afterAll(() => receiver[Symbol.asyncDispose]());

  test('ends, with its files and a log of what was sent', () => {
    expect(report).toMatchObject({ status: 'succeeded', format: 'pdf', finishedAt: expect.any(String) });
    for (const { path, size } of report.files) expect(statSync(path).size).toBe(size);
    expect(report.files.map(({ name }: Result) => name)).toEqual([
      'report.json',
      'report.html',
      'report.md',
      'junit.xml',
      'allure-results.zip',
      'report.pdf',
    ]);
    const by = (target: string) => report.deliveries.find((one: Result) => one.target === target);
    expect(by('team@shop.example')).toMatchObject({ channel: 'email', status: 'delivered', attempts: 2 });
    expect(by('team@shop.example').log).toMatchObject([
      { number: 1, status: 'failed', response: 'The mail server answered 451.' },
      { number: 2, status: 'delivered' },
    ]);
    expect(by('nobody@shop.example')).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: 'The mail server answered 550.',
    });
    expect(by('+15551234567')).toMatchObject({ channel: 'sms', status: 'delivered', attempts: 1 });
    expect(by(`${receiver.url}/…`)).toMatchObject({ channel: 'webhook', status: 'delivered', attempts: 3 });
    expect(by(`${receiver.url}/…`).log.map(({ response }: Result) => response)).toEqual([
      'HTTP 503',
      'HTTP 500',
      'HTTP 200',
    ]);
  });

  test('comes by mail, with the PDF', () => {
    expect(mail.mails).toHaveLength(1);
    const [message] = mail.mails;
    expect(message).toMatchObject({
      from: { address: 'reports@shop.example' },
      to: [{ address: 'team@shop.example' }],
      subject: '1 failed: Corner shop',
    });
    expect(message?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    expect(message?.text).toContain('1 of 4 tests failed; 75 % pass (1 flaky, 1 not run).');
    const [attachment] = message?.attachments ?? [];
    expect(attachment).toMatchObject({ filename: 'report.pdf', mimeType: 'application/pdf' });
    const content = attachment?.content;
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content ?? []));
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('comes by webhook, signed anew for each attempt, the third of which is taken', () => {
    expect(receiver.received).toHaveLength(3);
    for (const { method, headers, body } of receiver.received) {
      expect(method).toBe('POST');
      const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-assay-signature'])) ?? [];
      const expected = createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex');
      expect(signature).toBe(expected);
      expect(Math.abs(Date.now() / 1000 - Number(seconds))).toBeLessThan(300);
    }
    const ids = receiver.received.map(({ headers }) => headers['x-assay-delivery']);
    expect(new Set(ids).size).toBe(1);
    const { body } = receiver.received[2] ?? { body: '' };
    expect(JSON.parse(body)).toMatchObject({
      event: 'test_run_completed',
      projectId,
      reportId: report.reportId,
      timestamp: expect.stringMatching(/Z$/),
      results: { total: 5, passed: 3, failed: 1, flaky: 1, notRun: 1 },
      failures: [{ failureClass: 'product defect' }],
    });
  });

  test('comes as a short message', () => {
    expect(sms.received).toHaveLength(1);
    const [message] = sms.received;
    expect(message).toMatchObject({ path: '/send', headers: { authorization: 'Bearer token-of-the-provider' } });
    const { to, text } = JSON.parse(message?.body ?? '');
    expect(to).toBe('+15551234567');
    expect(text).toBe('Corner shop: 1 of 4 tests failed; 75 % pass (1 flaky, 1 not run).');
    expect(text.length).toBeLessThanOrEqual(160);
  });

  test('says the same in every form, and a secret younger than the runs in none', async () => {
    const [json, html, markdown, junit, allure] = await Promise.all(
      ['report.json', 'report.html', 'report.md', 'junit.xml', 'allure-results.zip'].map((name) =>
        fileOf(report, name),
      ),
    );
    const document = JSON.parse(String(json));
    expect(document).toMatchObject({ schema: 'assay.qa-report', version: 1, numbers: { tests: 5, failed: 1 } });
    expect(document.tests[0]).toMatchObject({
      verdict: 'failed',
      title: 'Pay with [secret]',
      history: ['passed', 'failed'],
    });
    expect(document.tests[0].steps).toMatchObject([{ status: 'passed' }, { status: 'failed' }]);
    expect(String(html)).toContain('src="data:image/png;base64,');
    expect(String(html)).not.toContain('<script>alert(1)');
    expect(String(markdown)).toContain('Failed: Pay with \\[secret\\]');
    expect(String(junit)).toMatch(/<testsuites name="Corner shop" tests="5" failures="1" errors="0" skipped="1"/);
    const zip = unzipSync(allure ?? Buffer.alloc(0));
    const results = Object.entries(zip).flatMap(([name, data]) =>
      name.endsWith('.json') ? [JSON.parse(strFromU8(data))] : [],
    );
    const { steps } = results.find(({ status }) => status === 'failed');
    expect(
      Buffer.from(zip[steps[1].attachments[0].source] ?? [])
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(results.map(({ status }) => status).toSorted()).toEqual(['failed', 'passed', 'passed', 'passed', 'skipped']);
    const sent = [
      mail.mails,
      sms.received,
      receiver.received,
      report,
      [json, html, markdown, junit].map(String),
      results,
    ];
    for (const text of sent.map((part) => JSON.stringify(part))) expect(text).not.toContain(SECRET);
    const kept = readdirSync(join(home, 'qa'), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(home, 'qa', name),
    );
    for (const path of kept.filter((name) => statSync(name).isFile()))
      expect(readFileSync(path).includes(SECRET), path).toBe(false);
  });

  test('is told as a resource, and listed', async () => {
    const uri = `qa://reports/${report.reportId}`;
    const { resources } = await client.listResources();
    expect(resources.map((resource) => resource.uri)).toContain(uri);
    const { contents } = await client.readResource({ uri });
    expect(JSON.parse(contents[0] && 'text' in contents[0] ? contents[0].text : '')).toEqual(report);
    await expect(client.readResource({ uri: 'qa://reports/rep_none' })).rejects.toThrow(/not found/i);
  });

  test('links its files beside the numbers', async () => {
    const result = await client.callTool({ name: 'qa_report_stats_summary_get', arguments: { projectId } });
    const links = result.content.filter(({ type }) => type === 'resource_link');
    expect(links).toContainEqual(expect.objectContaining({ name: 'report.pdf', mimeType: 'application/pdf' }));
  });

  test('keeps its key for webhooks when the keys of the house are changed', async () => {
    const rotated = await runAssay(['secrets', 'rotate'], { env });
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('2 secrets were') });
    const again = await call('qa_report_preferences_upsert', {
      projectId,
      channels: ['webhook'],
      webhookUrl: `${receiver.url}/hooks/private-path`,
    });
    expect(again.webhookSecret).toBeUndefined();
    const next = await reportOf(projectId, { exportFormat: 'markdown' });
    expect(next.deliveries).toMatchObject([{ channel: 'webhook', status: 'delivered' }]);
    const last = receiver.received.at(-1);
    const [, seconds, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(last?.headers['x-assay-signature'])) ?? [];
    expect(signature).toBe(createHmac('sha256', webhookSecret).update(`${seconds}.${last?.body}`).digest('hex'));
  });
});

describe('a delivery that does not succeed', () => {
  test('is not tried again when the receiver refuses, and its redirects are not followed', async () => {
    await using refusing = await startReceiver([422]);
    await using moving = await startReceiver([302], { location: `${refusing.url}/elsewhere` });
    const projectId = await newProject([]);
    for (const [receiver, response] of [
      [refusing, 'HTTP 422'],
      [moving, 'HTTP 302, and redirects are not followed'],
    ] as const) {
      await call('qa_report_preferences_upsert', { projectId, channels: ['webhook'], webhookUrl: receiver.url });
      const { deliveries } = await reportOf(projectId);
      expect(deliveries).toMatchObject([{ status: 'failed', attempts: 1, log: [{ response }] }]);
    }
    expect([refusing.received.length, moving.received.length]).toEqual([1, 1]);
  });

  test('is not pretended where nothing is configured', async () => {
    await using bare = await newFolder();
    const on = async (tool: string, ...flags: string[]): Promise<Result> => {
      const { stdout, stderr, code } = await runAssay(['call', tool, ...flags], { env: { ASSAY_HOME: bare.path } });
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    const { projectId } = await on('qa_project_create', '--project-name', 'No channels');
    const wishes = { projectId, channels: ['sms', 'email'], phones: ['+15551234567'], emails: ['team@shop.example'] };
    const set = await on('qa_report_preferences_upsert', '--json', JSON.stringify(wishes));
    expect(set.notConfigured).toEqual(['sms', 'email']);
    const { status, deliveries } = await on('qa_report_final_generate', '--project-id', projectId, '--wait');
    expect(status).toBe('succeeded');
    expect(deliveries).toMatchObject([
      { channel: 'email', status: 'not_configured', attempts: 0, error: expect.stringContaining('ASSAY_SMTP_URL') },
      { channel: 'sms', status: 'not_configured', attempts: 0, error: expect.stringContaining('ASSAY_SMS_URL') },
    ]);
  });

  test('goes nowhere inside when the caller is outside', async () => {
    await using receiver = await startReceiver();
    await using outside = await newFolder();
    await using server = await startHttp({
      args: ['--toolsets', 'qa', '--folders', '.'],
      cwd: outside.path,
      env: { ASSAY_HOME: outside.path },
    });
    await using remote = await connectHttp('modern', server);
    const on = callOn(remote);
    const { projectId } = await on('qa_project_create', { projectName: 'Remote' });
    const webhook = { projectId, channels: ['webhook'], webhookUrl: receiver.url };
    await expect(on('qa_report_preferences_upsert', webhook)).rejects.toThrow(
      /FORBIDDEN.*inside the server's own network/,
    );
    expect(receiver.received).toEqual([]);
  });
});

describe('preferences', () => {
  test.each([
    [{ channels: ['email'] }, 'emails', /channels has email, so emails must be given/],
    [{ channels: ['sms'], phones: [] }, 'phones', /channels has sms, so phones must be given/],
    [{ channels: ['webhook'] }, 'webhookUrl', /channels has webhook, so webhookUrl must be given/],
    [{ channels: ['pigeon'] }, 'channels', /channels must be of email, sms, webhook, got "pigeon"/],
    [{ channels: ['email'], emails: ['a@b.c\nBcc: x@y.z'] }, 'emails', /emails must each be an e-mail address/],
    [{ channels: ['sms'], phones: ['555-1234'] }, 'phones', /phones must each be a number in E.164 form/],
    [{ channels: [], webhookUrl: 'file:///etc/passwd' }, 'webhookUrl', /webhookUrl must be an http or https address/],
    [{ channels: [], webhookUrl: 'http://u:p@h.example' }, 'webhookUrl', /must hold no user name or password/],
  ])('%j are refused, with the field', async (wishes, field, message) => {
    const projectId = await newProject([]);
    const error = await call('qa_report_preferences_upsert', { projectId, ...wishes }).catch((thrown: Error) => thrown);
    const told = JSON.parse(error.message);
    expect(told).toMatchObject({ error: 'INVALID_ARGUMENT', details: { field } });
    expect(told.message).toMatch(message);
  });

  test('name only domains that the operator lets mails go to', async () => {
    await using own = await newFolder();
    const limits = { ASSAY_HOME: own.path, ASSAY_SMTP_URL: mail.url, ASSAY_MAIL_DOMAINS: 'shop.example, Team.example' };
    const on = (tool: string, args: object) =>
      runAssay(['call', tool, '--json', JSON.stringify(args)], { env: limits });
    const { projectId } = JSON.parse((await on('qa_project_create', { projectName: 'Limits' })).stdout);
    const set = (email: string) =>
      on('qa_report_preferences_upsert', { projectId, channels: ['email'], emails: [email] });
    expect((await set('a@team.EXAMPLE')).code).toBe(0);
    const refused = await set('a@else.example');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('go only to shop.example, team.example'),
    ]);
  });

  test('are replaced by the next, and never say a key that was given', async () => {
    const projectId = await newProject([]);
    const first = { projectId, channels: ['email', 'email'], emails: ['a@b.example'], phones: ['+4915112345678'] };
    expect(await call('qa_report_preferences_upsert', first)).toMatchObject({
      channels: ['email'],
      phones: ['+4915112345678'],
    });
    expect(await call('qa_report_preferences_upsert', { projectId, channels: [] })).toMatchObject({
      channels: [],
      emails: [],
      phones: [],
    });
    const short = call('qa_report_preferences_upsert', { projectId, channels: [], webhookSecret: 'tooshort-key' });
    await expect(short).rejects.toThrow(/INVALID_ARGUMENT.*webhookSecret/);
    await expect(short).rejects.not.toThrow(/tooshort-key/);
    await expect(call('qa_report_final_generate', { projectId, channels: ['sms'] })).rejects.toThrow(
      /no target for it/,
    );
  });
});

describe('the numbers', () => {
  test('have a health with its parts, and grow old', async () => {
    const fresh = await call('qa_report_stats_summary_get', { projectId: await newProject() });
    expect(fresh).toMatchObject({ tests: 5, passed: 2, failed: 1, flaky: 1, notRun: 1, healed: 1, passRate: 75 });
    const values = fresh.health.parts.map(({ name, value }: Result) => [name, value]);
    expect(values).toEqual([
      ['passRate', 75],
      ['stability', expect.any(Number)],
      ['requirementCoverage', null],
      ['freshness', 100],
    ]);
    const old = await newProject([{ title: 'Old', verdicts: ['passed'], daysAgo: 60 }]);
    const { health } = await call('qa_report_stats_summary_get', { projectId: old });
    expect(health.parts.find(({ name }: Result) => name === 'freshness').value).toBe(0);
    expect(health.score).toBeLessThan(80);
    const none = await call('qa_report_stats_summary_get', { projectId: await newProject([]) });
    expect(none).toMatchObject({ healthScore: null, passRate: 0 });
  });

  test('have a price, by day, kind and item', async () => {
    const projectId = await newProject();
    const all = await call('qa_report_cost_query', { projectId, filterType: 'testScript' });
    expect(all).toMatchObject({ currency: 'EUR', timezone: 'UTC', itemsLeftOut: 0 });
    expect(all.total).toMatchObject({
      runs: 4,
      browserSeconds: 8,
      pages: 4,
      steps: 8,
      screenshots: 4,
      bytes: 4_000_000,
      cost: 12,
    });
    expect(all.byItem).toHaveLength(4);
    const one = await call('qa_report_cost_query', {
      projectId,
      filterType: 'testScript',
      filterIds: [all.byItem[0].key],
    });
    expect(one.total).toMatchObject({ runs: 1, cost: 3 });
    const days = all.byDay.map(({ key }: Result) => key);
    const within = { projectId, startDateKey: days[0], endDateKey: days.at(-1) };
    expect((await call('qa_report_cost_query', within)).total.runs).toBe(4);
    expect((await call('qa_report_cost_query', { projectId, endDateKey: '20200101' })).total).toMatchObject({
      runs: 0,
      cost: 0,
    });
    for (const [field, wrong] of [
      ['startDateKey', { startDateKey: '20240230' }],
      ['endDateKey', { endDateKey: '2024-01-01' }],
      ['startDateKey', { startDateKey: '20240102', endDateKey: '20240101' }],
    ] as const) {
      const error = await call('qa_report_cost_query', { projectId, ...wrong }).catch((thrown: Error) => thrown);
      expect(JSON.parse(error.message)).toMatchObject({ error: 'INVALID_ARGUMENT', details: { field } });
    }
  });
});

test('a report that cannot be kept says why, and the next one is made', async () => {
  const projectId = await newProject();
  const files = join(home, 'qa', projectId);
  renameSync(files, `${files}-aside`);
  writeFileSync(files, 'no folder');
  const failed = await reportOf(projectId);
  rmSync(files);
  renameSync(`${files}-aside`, files);
  expect(failed).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^The report cannot be kept: report/),
  });
  expect(await reportOf(projectId)).toMatchObject({ status: 'succeeded' });
});

test('schedules are computed from the runs that there were', async () => {
  const projectId = await newProject();
  const asked = { projectId, testFrequency: 'daily', timezone: 'Europe/Berlin' };
  const { recommendations } = await call('qa_recommend_schedule', asked);
  const [nightly, smoke, wavering] = recommendations;
  expect(nightly).toMatchObject({ title: expect.stringContaining('Nightly'), timezone: 'Europe/Berlin' });
  expect(nightly.schedule).toMatch(/^\d+ \d \* \* \*$/);
  expect(nightly.nextRuns).toHaveLength(3);
  expect(nightly.rationale).toContain('5 active scripts that take 8 s; 7 runs in the last 30 days, 14.3 % failed');
  expect(smoke.title).toBe('Smoke test in working hours: the 5 quickest scripts');
  expect(wavering.title).toContain('wavering');
  const other = await call('qa_recommend_schedule', { projectId: await newProject([]) });
  expect(other.recommendations).toMatchObject([{ title: 'Not yet: there is no active script', schedule: '' }]);
  expect((await call('qa_recommend_schedule')).recommendations[0].rationale).toContain('No project was named');
  await expect(call('qa_recommend_schedule', { projectId: 'proj_none' })).rejects.toThrow(/NOT_FOUND/);
});

test('a report is followed to its end from the command line', async () => {
  const projectId = await newProject();
  const args = ['call', 'qa_report_final_generate', '--project-id', projectId, '--export-format', 'markdown', '--wait'];
  const { code, stdout, stderr } = await runAssay(args, { env });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'succeeded', format: 'markdown', deliveries: [] });
  expect(stderr).toMatch(/report\.md: qa:\/\/artifacts\/art_/);
});

test('prompts name only tools that there are', async () => {
  const { tools } = await client.listTools();
  const names = new Set(tools.map(({ name }) => name));
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual([
    'explore_and_test_site',
    'triage_test_failures',
    'keep_suite_green',
  ]);
  for (const { name, arguments: args = [] } of prompts) {
    const given = Object.fromEntries(args.map((argument) => [argument.name, `the ${argument.name}`]));
    const { messages } = await client.getPrompt({ name, arguments: given });
    const text = messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('');
    for (const argument of args) expect(text).toContain(`"the ${argument.name}"`);
    const named = text.match(/\bqa_[a-z_]+/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((tool) => !names.has(tool))).toEqual([]);
  }
});
