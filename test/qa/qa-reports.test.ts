import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, callOn, connectStdio, type Result, runAssay } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { skipRetryDelays } from '../support/jobs/job-retries.ts';
import { type Reporting, reportingOn, SECRET } from '../support/qa/qa-reports.ts';
import { type MailServer, type Receiver, startMailServer, startReceiver } from '../support/services/receivers.ts';

let folder: Folder;
let env: Record<string, string>;
let home: string;
let mail: MailServer;
let sms: Receiver;
let client: Connection;
let call: ReturnType<typeof callOn>;
let newProject: Reporting['newProject'];
let reportOf: Reporting['reportOf'];
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
  };
  home = env['ASSAY_HOME'] ?? '';
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env });
  call = callOn(client);
  ({ newProject, reportOf } = reportingOn(call, home));
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
  await sms[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function fileOf(report: Result, name: string): Promise<Buffer> {
  const { uri } = report.files.find((file: Result) => file.name === name);
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  if (content && 'blob' in content) return Buffer.from(content.blob, 'base64');
  return Buffer.from(content && 'text' in content ? content.text : '');
}

describe('report sent to all channels', () => {
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
  });
  afterAll(() => receiver[Symbol.asyncDispose]());

  test('finishes with files and a delivery log', () => {
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

  test('is mailed with the PDF', () => {
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
    const page = message?.html ?? '';
    expect(page).toContain('1 of 4 tests failed; 75 % pass (1 flaky, 1 not run).');
    // What the site said is text here, too, and nothing is fetched when the mail is opened.
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/<script|https?:|src=|url\(/);
    expect(page).not.toContain(SECRET);
    expect(message?.messageId).toMatch(/^<dlv_\w+@shop\.example>$/);
    const [attachment] = message?.attachments ?? [];
    expect(attachment).toMatchObject({ filename: 'report.pdf', mimeType: 'application/pdf' });
    const content = attachment?.content;
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content ?? []));
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('is posted to the webhook with a new signature per attempt', () => {
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

  test('is sent as an SMS', () => {
    expect(sms.received).toHaveLength(1);
    const [message] = sms.received;
    expect(message).toMatchObject({ path: '/send', headers: { authorization: 'Bearer token-of-the-provider' } });
    const { to, text } = JSON.parse(message?.body ?? '');
    expect(to).toBe('+15551234567');
    expect(text).toBe('Corner shop: 1 of 4 tests failed; 75 % pass (1 flaky, 1 not run).');
    expect(text.length).toBeLessThanOrEqual(160);
  });

  test('shows the same numbers in every format and no later-added secret', async () => {
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
    const { text: paper } = await extractText(new Uint8Array(await fileOf(report, 'report.pdf')), { mergePages: true });
    expect(paper).toMatch(/Failing.*1 of 4 tests failed.*Pay with \[secret\].*Pay by invoice/s);
    const sent = [
      paper,
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

  test('is readable and listed as a resource', async () => {
    const uri = `qa://reports/${report.reportId}`;
    const { resources } = await client.listResources();
    expect(resources.map((resource) => resource.uri)).toContain(uri);
    const { contents } = await client.readResource({ uri });
    expect(JSON.parse(contents[0] && 'text' in contents[0] ? contents[0].text : '')).toEqual(report);
    await expect(client.readResource({ uri: 'qa://reports/rep_none' })).rejects.toThrow(/not found/i);
  });

  test('is linked from the statistics', async () => {
    const result = await client.callTool({ name: 'qa_report_stats_summary_get', arguments: { projectId } });
    const links = result.content.filter(({ type }) => type === 'resource_link');
    expect(links).toContainEqual(expect.objectContaining({ name: 'report.pdf', mimeType: 'application/pdf' }));
  });

  test('keeps the webhook key after key rotation', async () => {
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

test('shows every test and the steps of those that need attention', async () => {
  const projectId = await newProject([
    { title: 'Pay by card', verdicts: ['passed'] },
    { title: 'Pay by post', verdicts: ['inconclusive'], failureClass: 'infrastructure', error: 'No answer' },
  ]);
  const report = await reportOf(projectId);
  const page = String(await fileOf(report, 'report.html'));
  const section = (id: string) => page.split('<section ').find((part) => part.startsWith(`id="${id}"`)) ?? '';
  expect(section('unknown')).toMatch(/Pay by post.*<details open>.*src="data:image\/png/s);
  expect(section('failures')).toBe('');
  expect(section('passed')).toMatch(/<summary>Pay by card .*src="data:image\/png/s);
  const zip = unzipSync(await fileOf(report, 'allure-results.zip'));
  const results = Object.entries(zip).flatMap(([name, data]) =>
    name.endsWith('.json') ? [JSON.parse(strFromU8(data))] : [],
  );
  expect(results).toHaveLength(2);
  for (const { steps } of results) expect(zip).toHaveProperty([steps.at(-1).attachments[0].source]);
});

test('returns text files as text and names files that are too large', async () => {
  const report = await reportOf(await newProject());
  for (const [name, mimeType] of [
    ['report.md', 'text/markdown'],
    ['report.json', 'application/json'],
    ['junit.xml', 'application/xml'],
  ]) {
    const { uri } = report.files.find((file: Result) => file.name === name);
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ mimeType, text: expect.stringContaining('Corner shop') }]);
  }
  const { uri, path } = report.files.find((file: Result) => file.name === 'allure-results.zip');
  writeFileSync(path, Buffer.alloc(9_000_000));
  await expect(client.readResource({ uri })).rejects.toThrow(
    `${path} has 9 MB, too much for one message. Open the file directly.`,
  );
});

test('reports why a report cannot be saved and creates the next one', async () => {
  const projectId = await newProject();
  const files = join(home, 'qa', projectId);
  renameSync(files, `${files}-aside`);
  writeFileSync(files, 'no folder');
  using _ = skipRetryDelays(home);
  const failed = await reportOf(projectId);
  rmSync(files);
  renameSync(`${files}-aside`, files);
  expect(failed).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^The report cannot be saved: report/),
  });
  expect(await reportOf(projectId)).toMatchObject({ status: 'succeeded' });
});

test('waits for a report on the command line', async () => {
  const projectId = await newProject();
  const args = ['call', 'qa_report_final_generate', '--project-id', projectId, '--export-format', 'markdown', '--wait'];
  const { code, stdout, stderr } = await runAssay(args, { env });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'succeeded', format: 'markdown', deliveries: [] });
  expect(stderr).toMatch(/report\.md: qa:\/\/artifacts\/art_/);
});

test('names only existing tools in prompts', async () => {
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
