import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAddressGuard, createPublicAddressGuard } from './address-guard.ts';

/** A site on 127.0.0.1 that redirects to any requested address. */
let site: Server;
let port: number;
const visits: string[] = [];
beforeAll(async () => {
  site = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '/', 'http://localhost');
    visits.push(`${request.headers.host}${pathname}`);
    const to = searchParams.get('to');
    if (to) response.writeHead(302, { location: to }).end();
    else response.end('hello');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => void site.close());

const names: Record<string, string[]> = {
  'public.example': ['93.184.216.34'],
  'inside.example': ['10.1.2.3'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
};
const lookup = async (hostname: string) =>
  (names[hostname] ?? ['127.0.0.1']).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('public address guard', () => {
  const guard = createPublicAddressGuard({ lookup });

  test.each([
    'http://93.184.216.34/',
    'https://public.example/a?b',
    'http://[2606:2800:220:1::1]/',
    'http://8.8.8.8:8080/',
  ])('allows %s', async (url) => {
    await expect(guard.check(url)).resolves.toBeUndefined();
  });

  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://0.0.0.0/',
    'http://localhost/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://168.63.129.16/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[2002:7f00:1::]/',
    'http://inside.example/',
    'http://mixed.example/',
  ])('rejects %s', async (url) => {
    await expect(guard.check(url)).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
    await expect(guard.fetch(url)).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
  });

  test.each(['file:///etc/passwd', 'ftp://93.184.216.34/', 'javascript:alert(1)', 'nonsense', ''])(
    'rejects %j as an address',
    async (url) => {
      await expect(guard.check(url)).rejects.toMatchObject({ code: 'BAD_URL' });
    },
  );

  test('allows names, addresses and ranges that the operator allowed', async () => {
    for (const allowed of [['inside.example'], ['10.1.2.3'], ['10.0.0.0/8']])
      await expect(
        createPublicAddressGuard({ lookup, allowed }).check('http://inside.example/'),
      ).resolves.toBeUndefined();
    const elsewhere = createPublicAddressGuard({ lookup, allowed: ['192.168.0.0/16', 'other.example'] });
    await expect(elsewhere.check('http://inside.example/')).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
  });

  test('does not follow a redirect to a private address', async () => {
    const guarded = createPublicAddressGuard({ lookup, allowed: ['allowed.example'] });
    visits.length = 0;
    const trap = `http://allowed.example:${port}/?to=${encodeURIComponent(`http://127.0.0.1:${port}/secret`)}`;
    await expect(guarded.fetch(trap)).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
    expect(visits).toEqual([`allowed.example:${port}/`]);
  });

  test('follows allowed redirects up to a limit', async () => {
    const guarded = createPublicAddressGuard({ lookup, allowed: ['allowed.example'] });
    const response = await guarded.fetch(`http://allowed.example:${port}/?to=/there`);
    expect(await response.text()).toBe('hello');
    const loop = createPublicAddressGuard({ lookup, allowed: ['allowed.example'] });
    const endless = createServer((_request, answer) => answer.writeHead(302, { location: '/again' }).end());
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    const address = endless.address();
    const endlessPort = typeof address === 'object' && address ? address.port : 0;
    await expect(loop.fetch(`http://allowed.example:${endlessPort}/`)).rejects.toMatchObject({
      code: 'TOO_MANY_REDIRECTS',
    });
    endless.close();
  });

  test('connects only to the addresses that were checked', async () => {
    let requested = 0;
    const rebinding = createPublicAddressGuard({
      lookup: async () => [{ address: requested++ === 0 ? '93.184.216.34' : '127.0.0.1', family: 4 }],
    });
    visits.length = 0;
    await expect(rebinding.fetch(`http://rebinding.example:${port}/`)).rejects.toThrow();
    expect(requested).toBe(2);
    expect(visits).toEqual([]);
  });
});

test('allows every HTTP address for the local user', async () => {
  const anyAddress = createAddressGuard(undefined);
  await expect(anyAddress.check('http://localhost:3000/')).resolves.toBeUndefined();
  expect(await (await anyAddress.fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello');
  await expect(anyAddress.check('file:///etc/passwd')).rejects.toMatchObject({ code: 'BAD_URL' });
});
