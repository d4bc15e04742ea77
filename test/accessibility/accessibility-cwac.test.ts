import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cwacStandIn, ended } from '../support/accessibility/accessibility.ts';
import { callOn, connectStdio } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';

describe('a CWAC installation', () => {
  test('replaces the native engine behind the same tools', async () => {
    await using own = await newFolder();
    const root = await cwacStandIn(own);
    const ownEnv = { ASSAY_HOME: join(own.path, 'home'), ASSAY_CWAC_DIR: root };
    await using other = await connectStdio('modern', { env: ownEnv });
    const run = callOn(other);
    const started = await run('cwac_scan', {
      urls: ['http://shop.example/'],
      plugins: { html_validation: true, title_audit: false },
      viewport_sizes: { width: 1000, height: 700 },
      max_links_per_domain: 0,
    });
    expect(started.config_path).toContain(join(root, 'config'));
    expect(started.warnings).toEqual([expect.stringContaining('html_validation')]);
    const status = await ended(run, started.scan_id);
    expect(status).toMatchObject({
      status: 'complete',
      exit_code: 0,
      results_dir: expect.stringContaining(join(root, 'results')),
    });
    const config = readFileSync(join(status['results_dir'], 'config.json'), 'utf8').replace(/^\uFEFF/, '');
    // CWAC has no value for "no limit" and starts a browser per thread.
    expect(JSON.parse(config)).toMatchObject({ max_links_per_domain: 1_000_000, thread_count: 1 });
    expect(await run('cwac_get_summary', { scan_id: started.scan_id })).toMatchObject({
      total_issues: 1,
      issues_by_audit_type: { axe_core_audit: 1 },
      top_violations: [{ rule_id: 'image-alt', count: 1 }],
      urls_scanned: 1,
    });
    const { results } = await run('cwac_get_results', { scan_id: started.scan_id });
    expect(results).toMatchObject([
      { rule_id: 'image-alt', html: '<img src="a.png">', help_url: expect.stringContaining('4.13') },
    ]);
    expect((await run('cwac_generate_report', { scan_id: started.scan_id })).status).toBe('generated');
  });

  test('reports progress while it runs, despite Python buffering and much error output', async () => {
    await using own = await newFolder();
    const releaseFile = join(own.path, 'go-on');
    const ownEnv = {
      ASSAY_HOME: join(own.path, 'home'),
      ASSAY_CWAC_DIR: await cwacStandIn(own),
      STAND_IN_WAITS_FOR: releaseFile,
    };
    await using other = await connectStdio('modern', { env: ownEnv });
    const run = callOn(other);
    const { scan_id } = await run('cwac_scan', { urls: ['https://shop.example/'] });
    await expect
      .poll(async () => (await run('cwac_scan_status', { scan_id })).stdout_tail)
      .toContain('50.0% p:1/2 v:0.07p/s');
    writeFileSync(releaseFile, '');
    expect((await ended(run, scan_id)).status).toBe('complete');
  });

  test('reports the error output of a failed run', async () => {
    await using own = await newFolder();
    const ownEnv = { ASSAY_HOME: join(own.path, 'home'), ASSAY_CWAC_DIR: await cwacStandIn(own), STAND_IN_FAILS: '3' };
    await using other = await connectStdio('modern', { env: ownEnv });
    const run = callOn(other);
    const { scan_id } = await run('cwac_scan', { urls: ['https://shop.example/'] });
    expect(await ended(run, scan_id)).toMatchObject({
      status: 'failed',
      exit_code: 3,
      stderr: expect.stringContaining('chromedriver not found'),
    });
    await expect(run('cwac_get_summary', { scan_id })).resolves.toMatchObject({ total_issues: 0 });
  });

  test('reports a configured installation that does not exist', async () => {
    await using own = await newFolder();
    await using other = await connectStdio('modern', {
      env: { ASSAY_HOME: join(own.path, 'home'), ASSAY_CWAC_DIR: '/no/cwac' },
    });
    await expect(callOn(other)('cwac_scan', { urls: ['https://a.example'] })).rejects.toThrow(
      'Error: CWAC installation not found at /no/cwac',
    );
  });
});
