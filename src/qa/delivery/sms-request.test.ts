import { describe, expect, test } from 'vitest';
import { startReceiver } from '../../../test/support/services/receivers.ts';
import { createAddressGuard } from '../../platform/network/address-guard.ts';
import { readSettings } from '../../platform/settings.ts';
import { configuredSenders } from './senders.ts';
import { sendSms, shortenSms } from './sms.ts';
import { parseSmsProvider } from './sms-request.ts';

const to = '+15551234567';
const short = 'Shop & café: 1 of 3 "tests" failed; 66 % pass.';
const message = { subject: '', text: '', html: '', short, attachments: [], payload: {} };
const way = { addresses: createAddressGuard(undefined), signal: new AbortController().signal };

/** The request that a provider receives. */
async function received(path: string, request: object, token?: string) {
  await using provider = await startReceiver([201]);
  const attempt = await sendSms(
    parseSmsProvider(`${provider.url}${path}`, token, JSON.stringify(request)),
    to,
    message,
    way,
  );
  expect(attempt).toMatchObject({ ok: true, response: 'HTTP 201' });
  const [got] = provider.received;
  return { method: got?.method, path: got?.path ?? '', headers: got?.headers ?? {}, body: got?.body ?? '' };
}

describe('SMS request', () => {
  test('is JSON with a bearer token by default', async () => {
    const { method, headers, body } = await received('/send', {}, 'the-token');
    expect([method, headers['authorization'], headers['content-type']]).toEqual([
      'POST',
      'Bearer the-token',
      'application/json',
    ]);
    expect(JSON.parse(body)).toEqual({ to, text: short });
  });

  test('can be a form with basic authentication', async () => {
    const request = {
      contentType: 'application/x-www-form-urlencoded',
      headers: { Authorization: 'Basic {basic}' },
      body: { To: '{to}', From: '+15550000000', Body: '{text}' },
    };
    const { path, headers, body } = await received('/Accounts/AC1/Messages.json', request, 'AC1:secret');
    expect(path).toBe('/Accounts/AC1/Messages.json');
    expect(headers['authorization']).toBe(`Basic ${Buffer.from('AC1:secret').toString('base64')}`);
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({ To: to, From: '+15550000000', Body: short });
  });

  test('can be custom JSON with a custom header', async () => {
    const body = { messages: [{ destinations: [{ to: '{to}' }], from: 'QA', text: '{text}', flash: false }] };
    const got = await received('/sms', { method: 'PUT', headers: { 'X-Api-Key': '{token}' }, body }, 'key');
    expect([got.method, got.headers['x-api-key'], got.headers['authorization']]).toEqual(['PUT', 'key', undefined]);
    expect(JSON.parse(got.body)).toEqual({
      messages: [{ destinations: [{ to }], from: 'QA', text: short, flash: false }],
    });
  });

  test('can carry everything in the URL', async () => {
    const { method, path, headers } = await received('/http?key={token}&to={to}&msg={text}', { method: 'GET' }, 'k&1');
    expect(method).toBe('GET');
    expect(Object.fromEntries(new URL(path, 'http://x').searchParams)).toEqual({ key: 'k&1', to, msg: short });
    expect(headers['authorization']).toBeUndefined();
  });

  test('can be XML with escaped values', async () => {
    const request = { contentType: 'text/xml', body: '<sms><to>{to}</to><text>{text}</text></sms>' };
    const { body } = await received('/', request);
    expect(body).toContain('Shop &#38; café: 1 of 3 &#34;tests&#34;');
  });
});

describe('invalid SMS setting', () => {
  test.each([
    ['not json', 'not JSON'],
    ['[]', 'it: '],
    ['{"verb":"POST"}', 'verb'],
    ['{"method":"DELETE"}', 'method'],
    ['{"method":"GET"}', '{to} is missing'],
    ['{"method":"GET","body":{"to":"{to}"}}', 'a GET has no body'],
    ['{"body":{"to":"{to}"}}', '{text} is missing'],
    ['{"body":"To={to}&Body={text}"}', 'body must be an object'],
    ['{"contentType":"text/plain"}', 'body is missing'],
    ['{"contentType":"application/x-www-form-urlencoded","body":{"a":{"to":"{to}{text}"}}}', 'only plain values'],
    ['{"headers":{"x":"{token}"}}', 'needs ASSAY_SMS_TOKEN'],
    ['{"headers":{"x":"a\\r\\nEvil: 1"}}', 'headers.x'],
  ])('is rejected: %s', (text, why) => {
    expect(() => parseSmsProvider('https://sms.example/', undefined, text)).toThrow(why);
  });

  test('disables only its own channel', () => {
    const env = { ASSAY_SMTP_URL: 'smtp://mail.example', ASSAY_SMS_URL: 'https://sms.example', ASSAY_SMS_REQUEST: '{' };
    const { mail, sms, problems } = configuredSenders(readSettings([], [], env).get);
    expect(mail?.url).toBe('smtp://mail.example');
    expect(sms).toBeUndefined();
    expect(problems?.sms).toBe('ASSAY_SMS_REQUEST cannot be used: it is not JSON. Correct or unset it.');
  });
});

test('does not cut a short message inside a character', () => {
  for (let before = 150; before < 160; before++) {
    const cut = shortenSms(`${'x'.repeat(before)}${'🙂'.repeat(20)}`);
    expect(cut.length).toBeLessThanOrEqual(160);
    expect(cut.isWellFormed()).toBe(true);
  }
});
