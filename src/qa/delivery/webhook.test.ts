import { describe, expect, test } from 'vitest';
import { serveSite } from '../../../test/sites/serve.ts';
import { startMailServer, startReceiver } from '../../../test/support/services/receivers.ts';
import { createAddressGuard, createPublicAddressGuard } from '../../platform/network/address-guard.ts';
import { displayTarget, type ReportMessage } from './channels.ts';
import { sendMail } from './email.ts';
import { sendHttp, webhookSignature } from './webhook.ts';

const signal = new AbortController().signal;
const way = { addresses: createAddressGuard(undefined), signal };
const letter = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
const message: ReportMessage = {
  subject: 'Hello',
  text: 'How are you?',
  html: '',
  short: 'Hello',
  attachments: [],
  payload: {},
};

test('signs the timestamp and the body', () => {
  expect(webhookSignature('{"a":1}', 'key', 1700000000)).toBe(
    't=1700000000,v1=a438e398bfafc57e4396bb7fc2304422f0f768e965d073ca313cb52e22e6ad03',
  );
  expect(webhookSignature('{"a":1}', 'key', 1700000001)).not.toContain(
    webhookSignature('{"a":1}', 'key', 1700000000).slice(13),
  );
});

describe('one send attempt', () => {
  test.each([
    [200, { ok: true, canRetry: false }],
    [204, { ok: true, canRetry: false }],
    [301, { ok: false, canRetry: false }],
    [400, { ok: false, canRetry: false }],
    [404, { ok: false, canRetry: false }],
    [429, { ok: false, canRetry: true }],
    [500, { ok: false, canRetry: true }],
    [503, { ok: false, canRetry: true }],
  ])('handles status %i', async (status, outcome) => {
    await using receiver = await startReceiver([status]);
    expect(await sendHttp({ ...letter, url: receiver.url }, way)).toMatchObject(outcome);
  });

  test('honours Retry-After up to a minute', async () => {
    await using short = await startReceiver([503], { 'retry-after': '2' });
    await using long = await startReceiver([503], { 'retry-after': '86400' });
    expect((await sendHttp({ ...letter, url: short.url }, way)).retryAfterMs).toBe(2000);
    expect((await sendHttp({ ...letter, url: long.url }, way)).retryAfterMs).toBe(60_000);
  });

  test('times out on a silent receiver and can be retried', async () => {
    await using silent = await serveSite(() => new Promise(() => {}));
    const attempt = await sendHttp({ ...letter, url: silent.url }, { ...way, withinMs: 100 });
    expect(attempt).toEqual({ ok: false, canRetry: true, response: 'no answer within 0.1 seconds' });
  });

  test('is aborted with its run', async () => {
    await using silent = await serveSite(() => new Promise(() => {}));
    const stop = new AbortController();
    const attempt = sendHttp({ ...letter, url: silent.url }, { ...way, signal: stop.signal });
    stop.abort(new Error('cancelled'));
    await expect(attempt).rejects.toThrow('cancelled');
  });

  test('rejects private addresses, also when DNS changes during the request', async () => {
    await using receiver = await startReceiver();
    const inside = await sendHttp({ ...letter, url: receiver.url }, { ...way, addresses: createPublicAddressGuard() });
    expect(inside).toMatchObject({
      ok: false,
      canRetry: false,
      response: expect.stringContaining('may not be visited'),
    });
    let asked = 0;
    const lookup = async () => [{ address: asked++ === 0 ? '93.184.216.34' : '127.0.0.1', family: 4 }];
    const { port } = new URL(receiver.url);
    const moved = await sendHttp(
      { ...letter, url: `http://moving.example:${port}/` },
      {
        ...way,
        addresses: createPublicAddressGuard({ lookup }),
      },
    );
    expect(moved).toMatchObject({ ok: false, canRetry: false });
    expect(receiver.received).toEqual([]);
  });

  test('can be retried if the mail server is unreachable, and hides the password', async () => {
    const attempt = await sendMail(
      { url: 'smtp://me:hunter22@127.0.0.1:9', from: 'a@b.example' },
      { to: 'c@d.example', deliveryId: 'dlv_1' },
      message,
      signal,
    );
    expect(attempt).toMatchObject({ ok: false, canRetry: true });
    expect(attempt.response).not.toContain('hunter22');
    await using server = await startMailServer();
    const elsewhere = await sendMail(
      { url: server.url, from: 'a@b.example', domains: ['shop.example'] },
      { to: 'c@notshop.example', deliveryId: 'dlv_1' },
      message,
      signal,
    );
    expect(elsewhere).toEqual({
      ok: false,
      canRetry: false,
      response: 'This server sends mail only to shop.example.',
    });
    expect(server.mails).toEqual([]);
    const refused = await sendMail(
      { url: server.url, from: 'a@b.example' },
      { to: 'nobody@d.example', deliveryId: 'dlv_1' },
      message,
      signal,
    );
    expect(refused).toEqual({ ok: false, canRetry: false, response: 'The mail server answered 550.' });
  });
});

test('hides the path of a webhook', () => {
  expect(displayTarget('webhook', 'https://hooks.example/services/T0/B0/XYZ?key=1')).toBe('https://hooks.example/…');
  expect(displayTarget('webhook', 'https://hooks.example/')).toBe('https://hooks.example');
  expect(displayTarget('email', 'a@b.example')).toBe('a@b.example');
});
