import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/platform/errors.ts';
import { noAuthentication } from '../../src/server/auth.ts';
import type { ServedResource } from '../../src/server/served-surface.ts';
import { hideServerPaths } from '../../src/server/server-paths.ts';
import { callOn, connectHttp, eras, startHttp } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { createEchoSurface } from '../support/server/echo.ts';
import { byName, serveSurface } from '../support/server/in-process.ts';
import { type Provider, startProvider } from '../support/services/provider.ts';

const audience = 'https://assay.example/mcp';
let provider: Provider;
let folder: Folder;
beforeAll(async () => {
  provider = await startProvider(audience);
  folder = await newFolder();
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('paths of the server', () => {
  const paths = { home: '/srv/data', cwd: '/srv/work', folders: ['/srv/work'] };

  test('are hidden from a caller with a token of the issuer', async () => {
    const home = `${folder.path}/data`;
    await folder.write('data/secret.key', 'no key at all');
    const args = ['--oauth-issuer', provider.issuer, '--public-url', audience];
    await using server = await startHttp({ args, cwd: folder.path, env: { ASSAY_HOME: home } });
    const scope = 'accessibility:read qa:write';
    const token = await provider.token({ scope });
    for (const era of eras) {
      await using client = await connectHttp(era, { url: server.url, token });
      const call = callOn(client);
      expect((await call('cwac_list_scans')).results_directory).toMatch(/^ASSAY_HOME\//);
      const { projectId } = await call('qa_project_create', { projectName: `A shop (${era})` });
      const secret = { projectId, name: 'PASSWORD', value: 'correct horse' };
      const refused = call('qa_secret_create', secret);
      await expect(refused).rejects.toThrow(/secret\.key in the server's data folder/);
      await expect(refused).rejects.not.toThrow(folder.path);
    }
  });

  test('are shown in results to the local user', async () => {
    const home = `${folder.path}/own`;
    await using server = await startHttp({ args: [], cwd: folder.path, env: { ASSAY_HOME: home } });
    await using client = await connectHttp('modern', server);
    expect((await callOn(client)('cwac_list_scans')).results_directory).toContain(home);
  });

  test('are hidden in the text of a resource, and shown to the local user', async () => {
    const text = 'Cannot start /srv/data/browser/chromium for /srv/work/lcov.info';
    const surface = await createEchoSurface(async () => ({ said: '' }));
    const resource: ServedResource = {
      template: { name: 'run', uriTemplate: 'runs://{id}' },
      list: async () => [],
      read: async (uri) => ({ contents: [{ uri, text }] }),
      complete: async () => [],
    };
    const served = hideServerPaths({ ...surface, resources: [resource] }, paths);
    for (const [authenticator, shown] of [
      [byName, text.replace('/srv/data', 'ASSAY_HOME')],
      [noAuthentication, text],
    ] as const) {
      const server = await serveSurface(served, { authenticator });
      await using client = await connectHttp('modern', { url: server.url, token: 'alice' });
      expect((await client.readResource({ uri: 'runs://1' })).contents).toMatchObject([{ text: shown }]);
      await server.close();
    }
  });

  test('are hidden in the answer to a request that fails before its call', async () => {
    const served = await serveSurface(await createEchoSurface(async () => ({ said: '' })), {
      authenticator: byName,
      surfaceFor() {
        const remoteMessage = "Cannot use the server's data folder.";
        throw new Failure('unavailable', 'BROKEN', 'Cannot use /srv/data.', {}, { remoteMessage });
      },
    });
    const response = await fetch(served.url, { method: 'POST', body: '{}' });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { message: "Cannot use the server's data folder." } });
    await served.close();
  });

  test.each([
    ['/srv/data/secret.key', 'ASSAY_HOME/secret.key'],
    ['"/srv/data"', '"ASSAY_HOME"'],
    ['file:///srv/data/a.html', 'file://ASSAY_HOME/a.html'],
    ['/srv/work/lcov.info and /srv/work', './lcov.info and .'],
    ['/srv/database/x', '/srv/database/x'],
    ['https://shop.example/srv/data/x', 'https://shop.example/srv/data/x'],
    ['/srv/data.old/x', '/srv/data.old/x'],
  ])('are replaced in an error: %s becomes %s', async (text, shown) => {
    const run = async () => {
      throw new Failure('unavailable', 'BROKEN', `Cannot read ${text}`);
    };
    const served = await serveSurface(hideServerPaths(await createEchoSurface(run), paths), { authenticator: byName });
    await using client = await connectHttp('modern', { url: served.url, token: 'alice' });
    const { content } = await client.callTool({ name: 'say', arguments: { text: '' } });
    expect(content).toMatchObject([{ text: `[BROKEN] Cannot read ${shown}` }]);
    await served.close();
  });
});
