import { mkdirSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { findBrowser } from '../../src/platform/browser/installed-browser.ts';
import { testHome } from '../sites/workspace.ts';
import { root } from './assay.ts';
import type { Folder } from './folders.ts';

/** The environment of a server with wizards of its own, which shares the browser that was unpacked for all tests. */
export async function wizardEnvironment(folder: Folder): Promise<Record<string, string>> {
  mkdirSync(join(testHome, 'browser'), { recursive: true });
  await findBrowser({ env: process.env, home: testHome });
  const home = join(folder.path, 'home');
  mkdirSync(join(home, 'wizards'), { recursive: true });
  symlinkSync(join(testHome, 'browser'), join(home, 'browser'));
  return { ASSAY_HOME: home };
}

const places = ['examples/wizards', 'test/sites/forms/wizards'];

/** Puts the wizard of a fixture site into a home, for the site at this address, under whatever name. */
export async function putWizard(
  home: string,
  fixture: string,
  site: string,
  id: string,
  change: object = {},
): Promise<void> {
  const texts = await Promise.all(
    places.map((place) => readFile(join(root, place, `${fixture}.json`), 'utf8').catch(() => '')),
  );
  const wizard = { ...JSON.parse(texts.join('')), wizard_id: id, base_url: site, ...change };
  await mkdir(join(home, 'wizards'), { recursive: true });
  await writeFile(join(home, 'wizards', `${id}.json`), JSON.stringify(wizard));
}

/** Whether a text says a value; a number as a word of its own: clocks, ports and hashes have the same digits now and then. */
export function says(text: string, value: string): boolean {
  const pattern = RegExp.escape(value);
  const alone = /^[\d.,]+$/.test(value) ? `(?<![\\w.])${pattern}(?!\\w|[.,]\\d)` : pattern;
  return new RegExp(alone, 'i').test(text);
}

/** Everything that lies in a folder, archives unpacked, by path; links to elsewhere are not followed. */
export async function allIn(folder: string): Promise<Map<string, string>> {
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
