import { mkdirSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { findBrowser } from '../../../src/platform/browser/installed-browser.ts';
import { testHome } from '../../sites/workspace.ts';
import { root } from '../assay.ts';
import type { Folder } from '../folders.ts';

/** The environment of a server with its own wizards and the shared browser of all tests. */
export async function wizardEnvironment(folder: Folder): Promise<Record<string, string>> {
  mkdirSync(join(testHome, 'browser'), { recursive: true });
  await findBrowser({ env: process.env, home: testHome });
  const home = join(folder.path, 'home');
  mkdirSync(join(home, 'wizards'), { recursive: true });
  symlinkSync(join(testHome, 'browser'), join(home, 'browser'));
  return { ASSAY_HOME: home };
}

const wizardFolders = ['examples/wizards', 'test/sites/forms/wizards'];

/** Writes the wizard of a fixture site into a home folder, for the site at this address. */
export async function putWizard(
  home: string,
  fixture: string,
  site: string,
  id: string,
  change: object = {},
): Promise<void> {
  const texts = await Promise.all(
    wizardFolders.map((folder) => readFile(join(root, folder, `${fixture}.json`), 'utf8').catch(() => '')),
  );
  const wizard = { ...JSON.parse(texts.join('')), wizard_id: id, base_url: site, ...change };
  await mkdir(join(home, 'wizards'), { recursive: true });
  await writeFile(join(home, 'wizards', `${id}.json`), JSON.stringify(wizard));
}

/** Whether a text contains a value. A number must be a separate word: clocks, ports and hashes may contain its digits. */
export function containsValue(text: string, value: string): boolean {
  const pattern = RegExp.escape(value);
  const alone = /^[\d.,]+$/.test(value) ? `(?<![\\w.])${pattern}(?!\\w|[.,]\\d)` : pattern;
  return new RegExp(alone, 'i').test(text);
}

/** The content of all files in a folder by path, with archives unpacked. Links are not followed. */
export async function readAllFiles(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    found.set(path, content.toString('latin1'));
    if (!path.endsWith('.zip')) continue;
    for (const [name, part] of Object.entries(unzipSync(content))) found.set(`${path}/${name}`, strFromU8(part));
  }
  return found;
}
