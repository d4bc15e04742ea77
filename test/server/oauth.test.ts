import { createSecretKey } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../src/platform/principal.ts';
import type { RunningHttpServer } from '../../src/server/http-server.ts';
import { createOpenIdAuthenticator } from '../../src/server/openid.ts';
import { connectHttp, eras, startHttp } from '../support/assay.ts';
import { lcov, newFolder } from '../support/folders.ts';
import { createEchoSurface } from '../support/server/echo.ts';
import { serveSurface } from '../support/server/in-process.ts';
import { type Provider, startProvider } from '../support/services/provider.ts';

const resource = new URL('https://assay.example/mcp');
const metadataUrl = 'https://assay.example/.well-known/oauth-protected-resource/mcp';

let provider: Provider;
let served: RunningHttpServer;
let seen: Principal | undefined;
beforeAll(async () => {
  provider = await startProvider(resource.href);
  const surface = await createEchoSurface(async ({ text }, { principal }) => {
    seen = principal;
    return { said: text };
  });
  const authenticator = createOpenIdAuthenticator({
    issuer: provider.issuer,
    audience: resource.href,
    keysIntervalMs: 0,
  });
  served = await serveSurface(surface, { authenticator, resource });
});
afterAll(async () => {
  await served.close();
  await provider[Symbol.asyncDispose]();
});

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

/** One call of a tool, by hand, in either era. */
async function post(token: string | undefined, name = 'say', era: 'legacy' | 'modern' = 'modern') {
  const modern = era === 'modern';
  const response = await fetch(served.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': modern ? '2026-07-28' : '2025-11-25',
      ...(modern && { 'mcp-method': 'tools/call', 'mcp-name': name }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { text: 'hi' }, ...(modern && { _meta: envelope }) },
    }),
  });
  return { status: response.status, challenge: response.headers.get('www-authenticate'), body: await response.text() };
}

async function connect(token: string) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit }));
  return client;
}

describe('a token of the issuer', () => {
  test.each(eras)('allows the tools of its scopes, in the %s era', async (era) => {
    const { status, body } = await post(await provider.token(), 'say', era);
    expect(status).toBe(200);
    expect(body).toContain('"said":"hi"');
    expect(seen).toEqual({ issuer: provider.issuer, subject: 'a-user', client: 'some-client' });
  });

  test.each([
    ['a string', { scope: 'other echo:write' }],
    ['a list (scp)', { scope: undefined, scp: ['echo:write'] }],
    ['permissions', { scope: '', permissions: ['echo:write'] }],
  ])('may carry its scopes as %s', async (_how, claims) => {
    expect((await post(await provider.token(claims), 'shout')).status).toBe(200);
  });

  test.each(['JWT', 'at+jwt', 'AT+JWT', 'application/at+jwt', undefined])('may have the type %s', async (typ) => {
    expect((await post(await provider.token({}, { header: { typ } }))).status).toBe(200);
  });

  test('with a write scope includes the read scope', async () => {
    expect((await post(await provider.token({ scope: 'echo:write' }), 'say')).status).toBe(200);
  });

  test('names the client by client_id, azp or the subject', async () => {
    await post(await provider.token({ client_id: undefined, azp: 'azp-client' }));
    expect(seen?.client).toBe('azp-client');
    await post(await provider.token({ client_id: undefined, sub: 'machine' }));
    expect(seen?.client).toBe('machine');
  });
});

describe('an invalid token', () => {
  const cases: [string, () => Promise<string | undefined>, RegExp][] = [
    ['is missing', async () => undefined, /^Bearer resource_metadata=/],
    ['is garbage', async () => 'garbage', /error="invalid_token"/],
    ['is of another issuer', () => provider.token({ iss: 'https://evil.example' }), /another issuer/],
    ['is for another audience', () => provider.token({ aud: 'https://other.example/mcp' }), /another audience/],
    ['has expired', () => provider.token({}, { expiresIn: -60 }), /has expired/],
    ['is not valid yet', () => provider.token({ nbf: Math.floor(Date.now() / 1000) + 600 }), /not valid yet/],
    ['has no subject', () => provider.token({ sub: undefined }), /claim of the token is missing/],
    ['never expires', () => provider.token({ exp: undefined }), /claim of the token is missing/],
    ['was issued in the future', () => provider.token({ iat: Date.now() / 1000 + 600 }), /issued in the future/],
    ['is bound to a certificate', () => provider.token({ cnf: { 'x5t#S256': 'abc' } }), /bound to a sender key/],
    ['is bound to a DPoP key', () => provider.token({ cnf: { jkt: 'abc' } }), /bound to a sender key/],
    ...['id_token', 'logout+jwt', 'dpop+jwt', 'secevent+jwt', 'application/dpop+jwt', ''].map(
      (typ): [string, () => Promise<string>, RegExp] => [
        `has the type ${JSON.stringify(typ)}`,
        () => provider.token({}, { header: { typ } }),
        /not that of an access token/,
      ],
    ),
    ...[42, ['JWT'], { jwt: true }].map((typ): [string, () => Promise<string>, RegExp] => [
      `has the type ${JSON.stringify(typ)}`,
      // A provider may sign any header.
      () => provider.token({}, { header: { typ: JSON.parse(JSON.stringify(typ)) } }),
      /not that of an access token/,
    ]),
    [
      'is signed by another issuer with a known key id',
      async () => {
        const { privateKey } = await generateKeyPair('RS256');
        return forged({ alg: 'RS256', kid: 'first' }).sign(privateKey);
      },
      /not valid"/,
    ],
    [
      'is signed with the public key as a shared secret',
      () => forged({ alg: 'HS256', kid: 'first' }).sign(createSecretKey(Buffer.from(JSON.stringify(publicKey())))),
      /not valid"/,
    ],
    [
      'is not signed at all',
      async () =>
        `${encoded({ alg: 'none' })}.${encoded({ iss: provider.issuer, aud: resource.href, sub: 'x', exp: 9e9 })}.`,
      /error="invalid_token"/,
    ],
  ];
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const publicKey = () => provider.server.issuer.keys.toJSON()[0];
  const forged = (header: { alg: string; kid: string }) =>
    new SignJWT({ scope: 'echo:read' })
      .setProtectedHeader(header)
      .setIssuer(provider.issuer)
      .setAudience(resource.href)
      .setSubject('x')
      .setExpirationTime('5m');

  test.each(cases)('that %s gets 401 with the metadata address', async (_why, make, challenge) => {
    const token = await make();
    seen = undefined;
    for (const era of eras) {
      const answer = await post(token, 'say', era);
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body).error.data).toMatchObject({ error: 'UNAUTHORIZED', message: expect.any(String) });
      expect(answer.challenge).toMatch(challenge);
      expect(answer.challenge).toContain(`resource_metadata="${metadataUrl}"`);
      if (token) expect(answer.body).not.toContain(token);
    }
    expect(seen).toBeUndefined();
  });
});

describe('scopes', () => {
  test.each(eras)('that do not cover a tool are challenged before it runs, in the %s era', async (era) => {
    seen = undefined;
    const { status, challenge } = await post(await provider.token({ scope: 'echo:read' }), 'shout', era);
    expect(status).toBe(403);
    expect(challenge).toContain('error="insufficient_scope", scope="echo:write"');
    expect(challenge).toContain(`resource_metadata="${metadataUrl}"`);
    expect(seen).toBeUndefined();
  });

  test('step up: accept the same call with the scope of the challenge', async () => {
    const { challenge } = await post(await provider.token({ scope: 'echo:read' }), 'shout');
    const scope = /scope="([^"]+)"/.exec(challenge ?? '')?.[1];
    expect((await post(await provider.token({ scope: `echo:read ${scope}` }), 'shout')).status).toBe(200);
  });

  test('cannot be bypassed by a batch', async () => {
    seen = undefined;
    const response = await fetch(served.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${await provider.token({ scope: '' })}`,
      },
      body: JSON.stringify([
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'shout', arguments: { text: 'hi' } } },
      ]),
    });
    expect(response.status).toBe(400);
    expect(seen).toBeUndefined();
  });

  test('filter the lists', async () => {
    const reader = await connect(await provider.token({ scope: 'echo:read' }));
    expect((await reader.listTools()).tools.map(({ name }) => name)).toEqual(['say']);
    const writer = await connect(await provider.token({ scope: 'echo:write' }));
    expect((await writer.listTools()).tools.map(({ name }) => name)).toEqual(['say', 'shout']);
    const noCaller = await connect(await provider.token({ scope: '' }));
    expect((await noCaller.listTools()).tools).toEqual([]);
    await Promise.all([reader, writer, noCaller].map((client) => client.close()));
  });
});

describe('resource metadata', () => {
  test.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
    'is served at %s',
    async (path) => {
      const response = await fetch(new URL(path, served.url));
      expect(await response.json()).toEqual({
        resource: resource.href,
        resource_name: 'Assay',
        authorization_servers: [provider.issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: ['echo:read', 'echo:write'],
      });
    },
  );
});

test.each(['https://assay.example/', 'https://assay.example/tools/assay/mcp'])(
  'the challenge names the metadata of %s',
  async (address) => {
    const other = new URL(address);
    const authenticator = createOpenIdAuthenticator({ issuer: provider.issuer, audience: other.href });
    const there = await serveSurface(await createEchoSurface(async () => ({ said: '' })), {
      authenticator,
      resource: other,
    });
    const { headers } = await fetch(there.url, { method: 'POST', body: '{}' });
    const named = new URL(/resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? '');
    const answer = await fetch(new URL(named.pathname, there.url));
    expect(await answer.json()).toMatchObject({ resource: other.href });
    await there.close();
  },
);

test('completes the client-credentials flow against a started server', async () => {
  await using folder = await newFolder();
  await folder.write('lcov.info', lcov({ a: [1, 0] }));
  const flags = [
    '--oauth-issuer',
    provider.issuer,
    '--oauth-audience',
    'https://api.example',
    '--public-url',
    resource.href,
  ];
  const args = ['--toolsets', 'coverage', '--folders', '.', ...flags];
  await using server = await startHttp({ args, cwd: folder.path });
  const metadata = await (await fetch(new URL('/.well-known/oauth-protected-resource/mcp', server.url))).json();
  const discovery = `${metadata.authorization_servers[0]}/.well-known/openid-configuration`;
  const { token_endpoint } = await (await fetch(discovery)).json();
  const granted = await fetch(token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'ci-machine',
      client_secret: 'secret',
      audience: 'https://api.example',
      scope: metadata.scopes_supported.join(' '),
    }),
  });
  const { access_token: token } = await granted.json();
  for (const era of eras) {
    await using client = await connectHttp(era, { url: server.url, token });
    const result = await client.callTool({ name: 'get_overall_coverage', arguments: { lcovPath: 'lcov.info' } });
    expect(result.structuredContent).toEqual({ overall: 50 });
    const outside = await client.callTool({ name: 'get_overall_coverage', arguments: { lcovPath: '/etc/passwd' } });
    expect(outside).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('outside the folders') }],
    });
  }
  expect((await fetch(new URL('/metrics', server.url))).status).toBe(404);
  expect(server.stderr()).not.toContain(token);
});
