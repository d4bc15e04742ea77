import { generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOpenIdAuthenticator } from '../../src/server/openid.ts';
import { serveSelfSigned } from '../sites/self-signed.ts';
import { createEchoSurface } from '../support/server/echo.ts';
import { serveSurface } from '../support/server/in-process.ts';
import { type Provider, startProvider } from '../support/services/provider.ts';

const resource = new URL('https://assay.example/mcp');

let provider: Provider;
beforeEach(async () => {
  provider = await startProvider(resource.href);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await provider[Symbol.asyncDispose]();
});

/** An authenticator that has fetched the keys once; without options it has the delays of production. */
async function started(options: { keysIntervalMs?: number; keysMaxAgeMs?: number } = {}) {
  const authenticator = createOpenIdAuthenticator({ issuer: provider.issuer, audience: resource.href, ...options });
  const authenticate = async (token: string) => (await authenticator.authenticate(`Bearer ${token}`)).ok;
  expect(await authenticate(await provider.token())).toBe(true);
  return { authenticate, isReady: () => authenticator.ready() };
}

async function forge(kid: string): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
}

const addKey = (kid: string) => provider.server.issuer.keys.generate('ES256', { kid });

test('fetches the keys once for many tokens, and once more for an unknown key id', async () => {
  const { authenticate } = await started({ keysIntervalMs: 0 });
  for (let i = 0; i < 5; i++) expect(await authenticate(await provider.token({ jti: `${i}` }))).toBe(true);
  expect(provider.keyFetches()).toBe(1);
  await addKey('second');
  expect(await authenticate(await provider.token({}, { kid: 'second' }))).toBe(true);
  expect(provider.keyFetches()).toBe(2);
});

test('accepts a new key, although forged key ids have just fetched the keys', async () => {
  const { authenticate } = await started();
  const forged = await Promise.all(Array.from({ length: 20 }, (_, i) => forge(`forged-${i}`)));
  const before = provider.keyFetches();
  expect(await Promise.all(forged.map(authenticate))).toEqual(forged.map(() => false));
  await addKey('new');
  expect(await authenticate(await provider.token({}, { kid: 'new' }))).toBe(true);
  expect(provider.keyFetches() - before).toBeLessThanOrEqual(3);
});

test('accepts a new key while forged key ids keep arriving', async () => {
  const { authenticate } = await started();
  const forged = await forge('forged');
  let isFlooding = true;
  const flood = async () => {
    while (isFlooding) expect(await authenticate(forged)).toBe(false);
  };
  const floods = Array.from({ length: 10 }, flood);
  await addKey('new');
  expect(await authenticate(await provider.token({}, { kid: 'new' }))).toBe(true);
  isFlooding = false;
  await Promise.all(floods);
  expect(provider.keyFetches()).toBeLessThanOrEqual(5);
});

test('rejects a removed key within a minute, for cached tokens too', async () => {
  await addKey('leaked');
  const { authenticate } = await started();
  const token = await provider.token({}, { kid: 'leaked' });
  expect(await authenticate(token)).toBe(true);
  provider.withdraw('leaked');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  expect(await authenticate(token)).toBe(false);
  expect(await authenticate(await provider.token())).toBe(true);
});

test('rejects a removed key in time when the clock is set back', async () => {
  await addKey('leaked');
  const { authenticate } = await started({ keysMaxAgeMs: 300, keysIntervalMs: 0 });
  const hourAgo = Date.now() - 3_600_000;
  const iat = Math.floor(hourAgo / 1000) - 60;
  const token = await provider.token({ iat }, { kid: 'leaked' });
  expect(await authenticate(token)).toBe(true);
  provider.withdraw('leaked');
  vi.useFakeTimers({ toFake: ['Date'], now: hourAgo });
  await expect.poll(() => authenticate(token)).toBe(false);
  expect(await authenticate(await provider.token({ iat }))).toBe(true);
});

test('rejects a removed key within a minute, for tokens that arrived while keys were fetched too', async () => {
  await addKey('replaced');
  const { authenticate } = await started({ keysIntervalMs: 0 });
  const token = await provider.token({}, { kid: 'replaced' });
  const unknown = await provider.token({}, { kid: 'replaced', header: { kid: 'unknown' } });
  provider.withdraw('replaced');
  const begin = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: begin + 40_000 });
  const release = provider.holdKeys();
  try {
    const before = provider.keyFetches();
    const fetching = authenticate(unknown);
    await expect.poll(() => provider.keyFetches()).toBe(before + 1);
    expect(await authenticate(token)).toBe(true);
    release();
    expect(await fetching).toBe(false);
    vi.setSystemTime(begin + 60_000);
    expect(await authenticate(token)).toBe(false);
  } finally {
    release();
  }
});

test('asks caches on the way for the current keys', async () => {
  let sent: string | undefined;
  const { authenticate } = await started({ keysIntervalMs: 0 });
  provider.answerKeys(({ headers }, response) => {
    sent = headers['cache-control'];
    response.end('{"keys":[]}');
  });
  expect(await authenticate(await forge('unknown'))).toBe(false);
  expect(sent).toBe('no-cache');
});

test('follows keys that move to another address', async () => {
  const { authenticate } = await started({ keysIntervalMs: 0 });
  provider.moveKeys('/keys/moved');
  await addKey('new');
  expect(await authenticate(await provider.token({}, { kid: 'new' }))).toBe(true);
});

test('answers 503 when the issuer cannot be reached', async () => {
  const surface = await createEchoSurface(async () => ({ said: '' }));
  const token = await provider.token();
  await provider.server.stop();
  const authenticator = createOpenIdAuthenticator({ issuer: provider.issuer, audience: resource.href });
  const lonely = await serveSurface(surface, { authenticator, resource });
  const authorization = `Bearer ${token}`;
  const response = await fetch(lonely.url, { method: 'POST', headers: { authorization }, body: '{}' });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect((await fetch(new URL('/readyz', lonely.url))).status).toBe(503);
  await lonely.close();
  await provider.server.start(0, '127.0.0.1');
});

test.each<[string, Parameters<Provider['answerKeys']>[0]]>([
  ['a server error', (_request, response) => void response.writeHead(500).end('{"keys":[]}')],
  ['a redirect', (_request, response) => void response.writeHead(302, { location: '/jwks' }).end()],
  ['600 kB', (_request, response) => void response.end(`{"keys":[]${' '.repeat(600_000)}}`)],
  ['no JSON', (_request, response) => void response.end('<html>')],
  ['no key set', (_request, response) => void response.end('{"keys":{}}')],
  ['a closed connection', (request) => void request.socket.destroy()],
])('reports the issuer, not the token, when its key set is %s', async (_what, answer) => {
  const { authenticate } = await started({ keysIntervalMs: 0 });
  provider.answerKeys(answer);
  await expect(authenticate(await forge('unknown'))).rejects.toMatchObject({ code: 'ISSUER_UNAVAILABLE' });
  expect(await authenticate(await provider.token({ jti: 'known key' }))).toBe(true);
});

test('asks an issuer that fails once per interval', async () => {
  const { authenticate, isReady } = await started({ keysMaxAgeMs: 0, keysIntervalMs: 300 });
  provider.answerKeys((_request, response) => void response.writeHead(500).end());
  const [before, begin] = [provider.keyFetches(), performance.now()];
  for (let i = 0; i < 4; i++) {
    await Promise.allSettled(Array.from({ length: 10 }, (_, j) => authenticate(`no.token.${j}`)));
    expect(await isReady()).toBe(false);
  }
  const intervals = (performance.now() - begin) / 300;
  expect(provider.keyFetches() - before).toBeLessThanOrEqual(intervals + 1);
});

test('rejects keys without https of an issuer with https', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  await using issuer = await serveSelfSigned((_request, response) => {
    response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${provider.issuer}/keys` }));
  });
  const authenticator = createOpenIdAuthenticator({ issuer: issuer.url, audience: resource.href });
  const token = await provider.token({ iss: issuer.url });
  await expect(authenticator.authenticate(`Bearer ${token}`)).rejects.toMatchObject({
    code: 'ISSUER_UNAVAILABLE',
    cause: { message: expect.stringContaining('without https') },
  });
  expect(provider.keyFetches()).toBe(0);
});
