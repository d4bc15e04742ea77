import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { openArtifactStore } from '../platform/artifacts/artifact-store.ts';
import { Failure, systemReason } from '../platform/errors.ts';
import { makeFolder } from '../platform/files/files.ts';
import { isSupportedGit, OLDEST_GIT_VERSION, readGitVersion } from '../platform/git/git-program.ts';
import { artifactSettings, readSettings, type Setting, type SettingValues, settings } from '../platform/settings.ts';
import { findStoreDamage, openStore, storeFile } from '../platform/store/store.ts';
import { version } from '../platform/version.ts';
import { localUser } from '../server/auth.ts';
import { loadCatalog } from '../tool/catalog.ts';
import type { MachineCheck, MachineProgram } from '../tool/toolset.ts';
import { loadToolsetMigrations, toolsetSettings, toolsets } from '../tool/toolsets.ts';
import { type Command, printStdout } from './command.ts';
import { loadSurface, surfaceSettings } from './startup/surface-settings.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '[--json]',
  summary: 'Check that this machine has what the tools need, and print how to fix what is missing.',
  settings: [settings.home, settings.databaseUrl, ...artifactSettings, ...surfaceSettings],
  async run(argv) {
    const isJson = argv.includes('--json');
    const values = readSettings(
      doctorCommand.settings,
      argv.filter((flag) => flag !== '--json'),
      process.env,
    );
    const home = values.get(settings.home);
    const served = await readServedToolsets(values);
    const findings = await Promise.all([
      checkNode(),
      checkSettings(values),
      checkCatalog(),
      checkFolder('Home folder', home, 'ASSAY_HOME'),
      checkStore(home, values),
      checkArtifacts(home, values),
      checkFolder('Temporary folder', tmpdir(), 'TMPDIR'),
      checkGit(served),
      checkBrowser(home, served),
      ...toolsets.flatMap(({ checkMachine }) => checkMachine?.({ home, owner: localUser, setting: values.get }) ?? []),
    ]);
    const isReady = findings.every(({ state }) => state !== 'fail');
    if (isJson) await printStdout(JSON.stringify({ ready: isReady, checks: findings }, null, 2));
    else
      for (const { what, state, detail } of findings)
        await printStdout(`${state.padEnd(4)}  ${what.padEnd(16)}  ${detail}`);
    return isReady ? 0 : 1;
  },
};

/** The toolsets that flags and environment select. Wrong names are reported by `checkSettings`. */
async function readServedToolsets(values: SettingValues): Promise<string[]> {
  try {
    return (await loadSurface(values)).toolsets.map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [];
  }
}

/** A missing program is an error when all tools of a served toolset need it. */
function describeMissing(
  what: string,
  detail: string,
  program: MachineProgram,
  served: readonly string[],
): MachineCheck {
  const needing = (share: 'all' | 'some') =>
    toolsets.filter(({ name, needs }) => served.includes(name) && needs?.[program] === share).map(({ name }) => name);
  const [broken, limited] = [needing('all'), needing('some')];
  const parts = [
    ...(broken.length > 0 ? [`toolsets that cannot work without it: ${broken.join(', ')}`] : []),
    ...(limited.length > 0 ? [`toolsets of which some tools need it: ${limited.join(', ')}`] : []),
  ];
  const state = broken.length > 0 ? 'fail' : 'warn';
  return { what, state, detail: parts.length > 0 ? `${detail} (${parts.join('; ')})` : detail };
}

async function checkNode(): Promise<MachineCheck> {
  return {
    what: 'Assay on Node',
    state: 'ok',
    detail: `${version} on ${process.version} (${process.platform} ${process.arch})`,
  };
}

/** Reads every setting of the environment as `assay serve` does. */
async function checkSettings(values: SettingValues): Promise<MachineCheck> {
  const all: Setting<unknown>[] = [...Object.values(settings), ...toolsetSettings];
  try {
    const present = all.filter((setting) => {
      values.get(setting);
      return process.env[setting.env] !== undefined;
    });
    await loadSurface(values);
    return {
      what: 'Settings',
      state: 'ok',
      detail: present.map(({ env }) => env).join(', ') || 'all at their defaults',
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { what: 'Settings', state: 'fail', detail: error.message };
  }
}

async function checkCatalog(): Promise<MachineCheck> {
  const { toolsets } = await loadCatalog();
  const detail = toolsets.map(({ name, tools }) => `${name} (${tools.length})`).join(', ');
  return { what: 'Toolsets', state: 'ok', detail };
}

async function checkFolder(what: string, folder: string, variable: string): Promise<MachineCheck> {
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    const freeMiB = Math.floor((bavail * bsize) / 2 ** 20);
    const detail = `${folder} has ${freeMiB} MiB free`;
    return freeMiB < 64
      ? { what, state: 'fail', detail: `${detail}: free disk space, or set ${variable} to another folder` }
      : { what, state: 'ok', detail };
  } catch (error) {
    const detail = `${folder} cannot be written: ${systemReason(error)}. Set ${variable} to another folder`;
    return { what, state: 'fail', detail };
  }
}

/** Opens an existing store as every command does, which migrates it, and checks a SQLite file for damage. */
async function checkStore(home: string, values: SettingValues): Promise<MachineCheck> {
  const what = 'Store';
  try {
    const url = values.get(settings.databaseUrl);
    const name = url ? 'the database of ASSAY_DATABASE_URL' : storeFile(home);
    if (!url && !existsSync(name)) return { what, state: 'ok', detail: `${name} does not exist yet` };
    await using store = await openStore({ home, url, migrations: await loadToolsetMigrations() });
    const damage = await findStoreDamage(store);
    return damage
      ? { what, state: 'fail', detail: `${name} is damaged: ${damage}` }
      : { what, state: 'ok', detail: `${name} is up to date` };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { what, state: 'fail', detail: error.message };
  }
}

/** Checks that the browser not only exists but starts and shows a page. */
async function checkBrowser(home: string, served: readonly string[]): Promise<MachineCheck> {
  const { findBrowser } = await import('../platform/browser/installed-browser.ts');
  const { launchBrowser } = await import('../platform/browser/browser-launch.ts');
  try {
    const found = await findBrowser({ env: process.env, home });
    const browser = await launchBrowser({ home });
    const page = await browser.newPage();
    await page.setContent('<h1>ready</h1>');
    const text = await page.locator('h1').textContent();
    await browser.close();
    if (text !== 'ready')
      throw new Failure(
        'unavailable',
        'BROWSER_BROKEN',
        'The browser starts but shows no page. Set ASSAY_BROWSER to another one.',
      );
    return { what: 'Browser', state: 'ok', detail: `Chromium ${browser.version()}, ${found?.source}: ${found?.path}` };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return describeMissing('Browser', error.message, 'browser', served);
  }
}

async function checkArtifacts(home: string, values: SettingValues): Promise<MachineCheck> {
  const what = 'Artifacts';
  try {
    const store = await openArtifactStore(home, values.get);
    const detail = await store.verify().finally(() => store.close());
    return { what, state: 'ok', detail };
  } catch (error) {
    return { what, state: 'fail', detail: error instanceof Failure ? error.message : systemReason(error) };
  }
}

async function checkGit(served: readonly string[]): Promise<MachineCheck> {
  const what = 'git';
  const found = await readGitVersion().catch(() => undefined);
  if (found === undefined) return describeMissing(what, 'not found: install git', 'git', served);
  if (isSupportedGit(found)) return { what, state: 'ok', detail: found };
  const detail = `${found} is too old: install git ${OLDEST_GIT_VERSION} or later`;
  return describeMissing(what, detail, 'git', served);
}
