import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

/** Home folder that all tests share, so that a browser is unpacked only once. */
export const testHome = join(tmpdir(), 'assay-test-home');

export interface Workspace extends AsyncDisposable {
  root: string;
  /** Rows of a table in a results folder; empty when the file does not exist. */
  table(dir: string, name: string): Promise<Record<string, string>[]>;
  results(): Promise<string[]>;
}

/** Creates a workspace in CWAC's layout with one configuration, scan.json, for the given sites. */
export async function scanWorkspace(urls: readonly string[], config: Record<string, unknown>): Promise<Workspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'assay-scan-test-')));
  await mkdir(join(root, 'config'));
  await mkdir(join(root, 'base_urls/visit/mine'), { recursive: true });
  const rows = urls.map((url) => `Org,${url},Sector\r\n`).join('');
  await writeFile(join(root, 'base_urls/visit/mine/urls.csv'), `organisation,url,sector\r\n${rows}`);
  const polite = { delay_between_page_loads: 0, delay_between_viewports: 0, delay_after_page_load: 0.05 };
  const usual = { audit_name: 'test', only_allow_https: false, shuffle_base_urls: false, ...polite };
  const whole = { ...usual, base_urls_visit_path: './base_urls/visit/mine/', ...config };
  await writeFile(join(root, 'config/scan.json'), JSON.stringify(whole));
  return {
    root,
    async table(dir, name) {
      const text = await readFile(join(dir, `${name}.csv`), 'utf8').catch(() => '');
      return parse<Record<string, string>>(text, { bom: true, columns: true });
    },
    results: () => readdir(join(root, 'results')),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
