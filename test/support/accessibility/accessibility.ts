import { mkdirSync, symlinkSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { defaultConfig } from '../../../src/accessibility/engine/input/engine-config.ts';
import { findBrowser } from '../../../src/platform/browser/installed-browser.ts';
import { testHome } from '../../sites/workspace.ts';
import type { callOn, Result } from '../assay.ts';
import type { Folder } from '../folders.ts';

/** Environment of a server with its own home folder and the browser that all tests share. */
export async function scanEnvironment(folder: Folder): Promise<Record<string, string>> {
  mkdirSync(join(testHome, 'browser'), { recursive: true });
  await findBrowser({ env: process.env, home: testHome });
  const home = join(folder.path, 'home');
  mkdirSync(home, { recursive: true });
  symlinkSync(join(testHome, 'browser'), join(home, 'browser'));
  return { ASSAY_HOME: home, ASSAY_ACCESSIBILITY_ENGINE: 'native' };
}

/** Scans of this home folder have time limits that no test reaches. */
export async function writeUnhurriedConfig(home: string): Promise<void> {
  const folder = join(home, 'accessibility/config');
  await mkdir(folder, { recursive: true });
  const config = { ...defaultConfig, page_load_timeout: 600, script_timeout: 600 };
  await writeFile(join(folder, 'config_default.json'), JSON.stringify(config));
}

/** Like `scanEnvironment`, with time limits that no test reaches. */
export async function unhurriedEnvironment(folder: Folder): Promise<Record<string, string>> {
  await writeUnhurriedConfig(join(folder.path, 'home'));
  return scanEnvironment(folder);
}

/** Waits for the end of a scan and returns its status. */
export async function ended(call: ReturnType<typeof callOn>, scan_id: string): Promise<Result> {
  await expect
    .poll(async () => (await call('cwac_scan_status', { scan_id })).status, { interval: 200 })
    .not.toBe('running');
  return call('cwac_scan_status', { scan_id });
}

/**
 * Creates a folder that behaves like a CWAC installation. Its Python is a stand-in, started as `python -u cwac.py <config>`: it
 * buffers its output like Python, writes results in CWAC's format, and exits with 1 on configs that CWAC rejects.
 */
export async function cwacStandIn(folder: Folder): Promise<string> {
  const root = join(folder.path, 'cwac');
  for (const path of ['config', 'base_urls/visit', 'base_urls/nohead', 'results', '.venv/bin'])
    await mkdir(join(root, path), { recursive: true });
  await writeFile(join(root, 'cwac.py'), '# started by the stand-in below\n');
  await writeFile(
    join(root, 'config/config_default.json'),
    JSON.stringify({
      audit_name: 'audit_name_here',
      max_links_per_domain: 50,
      thread_count: 8,
      only_allow_https: true,
      base_urls_visit_path: './base_urls/visit/',
      viewport_sizes: { small: { width: 320, height: 450 }, medium: { width: 1280, height: 800 } },
      audit_plugins: {
        axe_core_audit: { class_name: 'AxeCoreAudit', 'best-practice': false, enabled: true },
        title_audit: { class_name: 'TitleAudit', enabled: true },
      },
    }),
  );
  const python = join(root, '.venv/bin/python');
  await writeFile(python, `#!${process.execPath}\n${STAND_IN}`);
  await chmod(python, 0o755);
  return root;
}

const STAND_IN = `
const fs = require('node:fs'), path = require('node:path');
const args = process.argv.slice(2);
const isBuffered = args[0] !== '-u' && !process.env.PYTHONUNBUFFERED;
const [script, name] = args.filter((arg) => arg !== '-u');
const fail = (text, code = 1) => { fs.writeSync(2, 'Traceback (most recent call last):\\n' + text + '\\n'); process.exit(code); };
if (script !== 'cwac.py') fail('RuntimeError: started the wrong way');
// Like Python: output to a pipe is written in blocks, or line by line with -u.
let block = '';
const flush = () => { fs.writeSync(1, block); block = ''; };
const print = (line) => { block += line + '\\n'; if (!isBuffered || block.length >= 8192) flush(); };
process.on('exit', flush);
if (!/^[a-zA-Z0-9_.-]+$/.test(name)) fail('ValueError: config_filename must be alphanumeric, underscores, and hyphens');
const config = JSON.parse(fs.readFileSync('config/' + name, 'utf8'));
for (const plugin of Object.keys(config.audit_plugins))
  if (!['axe_core_audit', 'title_audit'].includes(plugin)) fail("ModuleNotFoundError: No module named 'src.audit_plugins." + plugin + "'");
for (const size of Object.values(config.viewport_sizes)) if (typeof size !== 'object') fail("TypeError: 'int' object is not subscriptable");
const rows = fs.readFileSync(path.join(config.base_urls_visit_path, 'urls.csv'), 'utf8').trim().split('\\n').slice(1).map((row) => row.split(','));
const sites = rows.filter(([, url]) => !config.only_allow_https || url.startsWith('https:'));
const two = (n) => String(n).padStart(2, '0');
const now = new Date();
const stamp = now.getFullYear() + '-' + two(now.getMonth() + 1) + '-' + two(now.getDate()) + '_' + two(now.getHours()) + '-' + two(now.getMinutes()) + '-' + two(now.getSeconds());
const results = path.join('results', stamp + '_' + config.audit_name);
fs.mkdirSync(results, { recursive: true });
fs.writeFileSync(path.join(results, 'config.json'), '\\uFEFF' + JSON.stringify({ ...config, audit_name: stamp + '_' + config.audit_name }, null, 4));
print('Centralised Web Accessibility Checker (CWAC)');
print('Number of websites to be scanned: ' + sites.length);
if (process.env.STAND_IN_FAILS) fail('FileNotFoundError: chromedriver not found', Number(process.env.STAND_IN_FAILS));
if (process.env.STAND_IN_WAITS_FOR) {
  // More than a pipe buffer holds, so this blocks until the output is read.
  for (let line = 0; line < 2000; line++) fs.writeSync(2, 'chromedriver complains about something or other: ' + line + '\\n');
  print('|██████████----------| 50.0% p:1/2 v:0.07p/s t:0h 1m  t-:0h 1m      ');
  while (!fs.existsSync(process.env.STAND_IN_WAITS_FOR)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}
const csv = (file, header, lines) => fs.writeFileSync(path.join(results, file), '\\uFEFF' + [header, ...lines].join('\\r\\n') + '\\r\\n');
const axe = 'organisation,sector,page_title,base_url,url,viewport_size,audit_id,page_id,audit_type,issue_id,description,target,num_issues,help,helpUrl,id,impact,html,tags,best-practice';
csv('axe_core_audit.csv', axe, sites.flatMap(([org, url], i) => [
  [org, 'unknown', 'Home', url, url, '"{\\'width\\': 320, \\'height\\': 450}"', i + '_small', i, 'AxeCoreAudit', '828f1204b8', 'Images need text', '/html/body/img', 1, 'Images must have alternative text', 'https://dequeuniversity.com/rules/axe/4.13/image-alt', 'image-alt', 'critical', '"<img src=""a.png"">"', '"[\\'wcag2a\\', \\'wcag111\\']"', 'No'].join(','),
  [org, 'unknown', 'Home', url, url, '"{\\'width\\': 1280, \\'height\\': 800}"', i + '_medium', i, 'AxeCoreAudit', '', 'No issues found', '', 0, '', '', '', '', '', '', 'No'].join(','),
]));
csv('pages_scanned.csv', 'organisation,base_url,number_of_pages,sector', sites.map(([org, url]) => [org, url, 1, 'unknown'].join(',')));
print('|████████████████████| 100.0% p:1/1 v:0.07p/s t:0h 1m  t-:0h 0m');
print('CWAC complete! Data can be found in the ./results folder.');
`;
