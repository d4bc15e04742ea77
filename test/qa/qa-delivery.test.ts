import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Connection,
  callOn,
  connectHttp,
  connectStdio,
  type Result,
  runAssay,
  startHttp,
} from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { skipRetryDelays } from '../support/jobs/job-retries.ts';
import { type Reporting, reportingOn } from '../support/qa/qa-reports.ts';
import { startMailServer, startReceiver } from '../support/services/receivers.ts';

// Browser tests on a shared machine need more time.

let folder: Folder;
let client: Connection;
let call: ReturnType<typeof callOn>;
let newProject: Reporting['newProject'];
let reportOf: Reporting['reportOf'];
beforeAll(async () => {
  folder = await newFolder();
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env: { ASSAY_HOME: folder.path } });
  call = callOn(client);
  ({ newProject, reportOf } = reportingOn(call, folder.path));
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('delivery that fails', () => {
  test('is not retried when the receiver rejects it, and follows no redirect', async () => {
    await using refusing = await startReceiver([422]);
    await using moving = await startReceiver([302], { location: `${refusing.url}/elsewhere` });
    const projectId = await newProject([]);
    for (const [receiver, response] of [
      [refusing, 'HTTP 422'],
      [moving, 'HTTP 302, redirects are not followed'],
    ] as const) {
      await call('qa_report_preferences_upsert', { projectId, channels: ['webhook'], webhookUrl: receiver.url });
      const { deliveries } = await reportOf(projectId);
      expect(deliveries).toMatchObject([{ status: 'failed', attempts: 1, log: [{ response }] }]);
    }
    expect([refusing.received.length, moving.received.length]).toEqual([1, 1]);
  });

  test('is reported as not configured without a sender', async () => {
    await using bare = await newFolder();
    const on = async (tool: string, ...flags: string[]): Promise<Result> => {
      const { stdout, stderr, code } = await runAssay(['call', tool, ...flags], { env: { ASSAY_HOME: bare.path } });
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    const { projectId } = await on('qa_project_create', '--project-name', 'No channels');
    const options = { projectId, channels: ['sms', 'email'], phones: ['+15551234567'], emails: ['team@shop.example'] };
    const set = await on('qa_report_preferences_upsert', '--json', JSON.stringify(options));
    expect(set.notConfigured).toEqual(['sms', 'email']);
    const { status, deliveries } = await on('qa_report_final_generate', '--project-id', projectId, '--wait');
    expect(status).toBe('succeeded');
    expect(deliveries).toMatchObject([
      { channel: 'email', status: 'not_configured', attempts: 0, error: expect.stringContaining('ASSAY_SMTP_URL') },
      { channel: 'sms', status: 'not_configured', attempts: 0, error: expect.stringContaining('ASSAY_SMS_URL') },
    ]);
  });

  test('affects only the mail if no browser can make the PDF', async () => {
    await using own = await newFolder();
    await using mail = await startMailServer();
    await using provider = await startReceiver([202]);
    const env = {
      ...{ ASSAY_HOME: own.path, ASSAY_BROWSER: '/nowhere/chromium' },
      ...{ ASSAY_SMTP_URL: mail.url, ASSAY_SMS_URL: provider.url },
    };
    const on = async (tool: string, args: object, ...flags: string[]): Promise<Result> =>
      JSON.parse((await runAssay(['call', tool, '--json', JSON.stringify(args), ...flags], { env })).stdout);
    const { projectId } = await on('qa_project_create', { projectName: 'No browser' });
    const targets = { emails: ['team@shop.example'], phones: ['+15551234567'] };
    await on('qa_report_preferences_upsert', { projectId, channels: ['sms', 'email'], ...targets });
    using _ = skipRetryDelays(own.path);
    const why = /^The PDF could not be created: ASSAY_BROWSER is/;
    const page = await on('qa_report_final_generate', { projectId, exportFormat: 'html' }, '--wait');
    expect(page.deliveries).toMatchObject([
      { channel: 'email', status: 'failed', attempts: 0, error: expect.stringMatching(why) },
      { channel: 'sms', status: 'delivered' },
    ]);
    expect(page.status).toBe('succeeded');
    const paper = await on('qa_report_final_generate', { projectId, exportFormat: 'pdf', channels: [] }, '--wait');
    expect(paper).toMatchObject({ status: 'failed', error: expect.stringMatching(why) });
    expect(paper.files.map(({ name }: Result) => name)).toContain('report.html');
    expect(mail.mails).toEqual([]);
  });

  test('does not reach private addresses for a remote caller', async () => {
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
      /FORBIDDEN.*in the server's private network/,
    );
    expect(receiver.received).toEqual([]);
  });
});

describe('report preferences', () => {
  test.each([
    [{ channels: ['email'] }, 'emails', /channels has email, so emails must be given/],
    [{ channels: ['sms'], phones: [] }, 'phones', /channels has sms, so phones must be given/],
    [{ channels: ['webhook'] }, 'webhookUrl', /channels has webhook, so webhookUrl must be given/],
    [{ channels: ['pigeon'] }, 'channels', /channels must be of email, sms, webhook, got "pigeon"/],
    [{ channels: ['email'], emails: ['team@shop.example', 'a@-'] }, 'emails', /got "a@-"/],
    [{ channels: ['email'], emails: ['.a@b.example'] }, 'emails', /got "\.a@b\.example"/],
    [{ channels: ['email'], emails: ['a@b.c\nBcc: x@y.z'] }, 'emails', /emails must each be an e-mail address/],
    [{ channels: ['sms'], phones: ['555-1234'] }, 'phones', /phones must each be a number in E.164 form/],
    [{ channels: [], webhookUrl: 'file:///etc/passwd' }, 'webhookUrl', /webhookUrl must be an http or https address/],
    [{ channels: [], webhookUrl: 'http://u:p@h.example' }, 'webhookUrl', /must not contain a user name or password/],
  ])('reject %j and name the field', async (options, field, message) => {
    const projectId = await newProject([]);
    const error = await call('qa_report_preferences_upsert', { projectId, ...options }).catch(
      (thrown: Error) => thrown,
    );
    const failure = JSON.parse(error.message);
    expect(failure).toMatchObject({ error: 'INVALID_ARGUMENT', details: { field } });
    expect(failure.message).toMatch(message);
  });

  test('accept only mail domains that the operator allows', async () => {
    await using own = await newFolder();
    const limits = {
      ASSAY_HOME: own.path,
      ASSAY_SMTP_URL: 'smtp://127.0.0.1:1',
      ASSAY_MAIL_DOMAINS: 'shop.example, Team.example',
    };
    const on = (tool: string, args: object) =>
      runAssay(['call', tool, '--json', JSON.stringify(args)], { env: limits });
    const { projectId } = JSON.parse((await on('qa_project_create', { projectName: 'Limits' })).stdout);
    const set = (email: string) =>
      on('qa_report_preferences_upsert', { projectId, channels: ['email'], emails: [email] });
    expect((await set('a@team.EXAMPLE')).code).toBe(0);
    const refused = await set('a@else.example');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('only to shop.example, team.example')]);
  });

  test('accept only phone prefixes that the operator allows', async () => {
    await using own = await newFolder();
    await using provider = await startReceiver([202]);
    const sms = { ASSAY_HOME: own.path, ASSAY_SMS_URL: provider.url };
    const on = (tool: string, args: object, limits = '') =>
      runAssay(
        ['call', tool, '--json', JSON.stringify(args), ...(tool === 'qa_report_final_generate' ? ['--wait'] : [])],
        {
          env: { ...sms, ASSAY_SMS_PREFIXES: limits },
        },
      );
    const { projectId } = JSON.parse((await on('qa_project_create', { projectName: 'Limits' })).stdout);
    const set = { projectId, channels: ['sms'], phones: ['+4915112345678', '+15551234567'] };
    const refused = await on('qa_report_preferences_upsert', set, '+49, +43');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('only to numbers that start with +49, +43. \\"+15551234567\\" is not allowed'),
    ]);
    expect((await on('qa_report_preferences_upsert', set)).code).toBe(0);
    // A new limit applies to existing preferences.
    const { deliveries } = JSON.parse((await on('qa_report_final_generate', { projectId }, '+49')).stdout);
    expect(deliveries).toMatchObject([
      { target: '+15551234567', status: 'failed', attempts: 1, error: expect.stringContaining('start with +49') },
      { target: '+4915112345678', status: 'delivered' },
    ]);
    expect(provider.received.map(({ body }) => JSON.parse(body).to)).toEqual(['+4915112345678']);
  });

  test('are replaced by the next call and never return a given key', async () => {
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
      /no target for the channel/,
    );
  });
});
