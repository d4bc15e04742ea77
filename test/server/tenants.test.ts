import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanPage, type ServedSite, serveSite } from '../sites/serve.ts';
import { ended, scanEnvironment } from '../support/accessibility/accessibility.ts';
import { callOn, connectHttp, eras, type HttpServer, startHttp } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { type Provider, startProvider } from '../support/services/provider.ts';

const audience = 'https://assay.example/mcp';
let provider: Provider;
let folder: Folder;
let site: ServedSite;
let server: HttpServer;
beforeAll(async () => {
  provider = await startProvider(audience);
  folder = await newFolder();
  site = await serveSite(() => cleanPage('One page'));
  const oauth = ['--oauth-issuer', provider.issuer, '--public-url', audience];
  const args = ['--toolsets', 'coverage,accessibility', '--folders', '.', '--allow-addresses', '127.0.0.1', ...oauth];
  server = await startHttp({ args, cwd: folder.path, env: await scanEnvironment(folder) });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const as = async (subject: string, scope: string, era: (typeof eras)[number] = 'modern') =>
  connectHttp(era, { url: server.url, token: await provider.token({ sub: subject, client_id: subject, scope }) });

test('hides scans from other owners: listing, reading, comparing and stopping', async () => {
  await using alice = await as('alice', 'accessibility:scan');
  await using bob = await as('bob', 'accessibility:scan');
  const start = { urls: [`${site.url}/`], max_links_per_domain: 1 };
  const { scan_id } = await callOn(alice)('cwac_scan', start);
  expect((await ended(callOn(alice), scan_id)).status).toBe('complete');
  const none = `Error: No scan found with ID: ${scan_id}`;
  for (const tool of ['cwac_scan_status', 'cwac_get_results', 'cwac_get_summary', 'cwac_cancel_scan'])
    await expect(callOn(bob)(tool, { scan_id }), tool).rejects.toThrow(none);
  expect((await callOn(bob)('cwac_list_scans')).scans).toEqual([]);
  expect((await callOn(alice)('cwac_list_scans')).total_scans).toBe(1);

  const own = await callOn(bob)('cwac_scan', start);
  await ended(callOn(bob), own.scan_id);
  expect(await callOn(bob)('cwac_generate_report', { scan_id: own.scan_id })).not.toHaveProperty('compared_with');
  const again = await callOn(alice)('cwac_scan', start);
  const { results_dir } = await ended(callOn(alice), again.scan_id);
  const report = await callOn(alice)('cwac_generate_report', { scan_id: again.scan_id });
  expect(report.compared_with).toBeDefined();
  const uri = `accessibility://reports/${again.scan_id}/report.html`;
  const [page] = (await alice.readResource({ uri })).contents;
  expect(page).toMatchObject({ mimeType: 'text/html', text: expect.stringContaining('Accessibility report') });
  await expect(bob.readResource({ uri })).rejects.toThrow(/not found/i);
  await expect(alice.readResource({ uri: uri.replace('report.html', 'config.json') })).rejects.toThrow(/not found/i);
  expect(results_dir).not.toContain(report.compared_with);
  expect((await callOn(bob)('cwac_list_scans')).total_scans).toBe(1);
});

test('lists a cancelled scan for its owner', async () => {
  await using carol = await as('carol', 'accessibility:scan');
  await using slow = await serveSite(async () => cleanPage('Slow', '<a href="/1">1</a><a href="/2">2</a>'));
  const { scan_id } = await callOn(carol)('cwac_scan', { urls: [`${slow.url}/`] });
  await expect
    .poll(async () => (await callOn(carol)('cwac_scan_status', { scan_id })).stdout_tail ?? 'ended')
    .toMatch(/\[1\/|ended/);
  await callOn(carol)('cwac_cancel_scan', { scan_id });
  await ended(callOn(carol), scan_id);
  expect((await callOn(carol)('cwac_list_scans')).total_scans).toBe(1);
});

describe.each(eras)('a token without the scope, in the %s era', (era) => {
  test('neither lists nor uses tools, prompts, resources and completions', async () => {
    await using client = await as('dave', 'accessibility:read', era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('cwac_list_scans');
    expect(tools.map(({ name }) => name)).not.toContain('get_overall_coverage');
    expect((await client.listPrompts()).prompts).toEqual([]);
    const { resourceTemplates } = await client.listResourceTemplates();
    // Skills are documentation of the package, so they need no scope.
    expect(resourceTemplates.map(({ name }) => name)).toEqual(['accessibility-report', 'skills']);
    const prompt = { type: 'ref/prompt' as const, name: 'check_coverage_of_change' };
    for (const attempt of [
      () => client.callTool({ name: 'get_overall_coverage', arguments: { lcovPath: 'lcov.info' } }),
      () => client.getPrompt({ name: prompt.name, arguments: {} }),
      () => client.readResource({ uri: 'coverage://snapshots/whatever' }),
      () => client.complete({ ref: prompt, argument: { name: 'lcovPath', value: '' } }),
    ])
      await expect(attempt()).rejects.toThrow(/coverage:read/);
  });
});
