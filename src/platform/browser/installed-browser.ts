import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { Failure } from '../errors.ts';
import type { InstalledBrowser } from './browser-model.ts';
import { unpackChromium } from './packaged-chromium.ts';

interface BrowserSearch {
  env: NodeJS.ProcessEnv;
  /** Data folder; a packaged browser is unpacked there. */
  home: string;
}

/** A headless shell needs half the CPU and memory of the full browser. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'];
const fullBrowsers = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const macBrowsers = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/** Finds a browser. Order: ASSAY_BROWSER, a headless shell on PATH, Playwright's, the npm package, any installed Chromium. */
export async function findBrowser({ env, home }: BrowserSearch): Promise<InstalledBrowser | undefined> {
  if (env['ASSAY_BROWSER']) return findNamed(env['ASSAY_BROWSER']);
  return (
    (await findOnPath(shells, env)) ??
    (await findPlaywrightBrowser()) ??
    (await findPackagedChromium(home)) ??
    (await findOnPath(fullBrowsers, env)) ??
    (await findFirstProgram(macBrowsers, 'installed'))
  );
}

async function findNamed(path: string): Promise<InstalledBrowser> {
  const found = await findFirstProgram([path], 'ASSAY_BROWSER');
  if (found) return found;
  const message = `ASSAY_BROWSER is ${JSON.stringify(path)}, which is not an executable file. Set it to a Chromium, or unset it to search for one.`;
  throw new Failure('configuration', 'BROWSER_MISSING', message);
}

async function findOnPath(names: readonly string[], env: NodeJS.ProcessEnv): Promise<InstalledBrowser | undefined> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return findFirstProgram(
    names.flatMap((name) => folders.map((folder) => join(folder, name))),
    'on this machine',
  );
}

async function findFirstProgram(paths: readonly string[], source: string): Promise<InstalledBrowser | undefined> {
  for (const path of paths) if (await isProgram(path)) return { path, source, env: {} };
  return undefined;
}

async function findPlaywrightBrowser(): Promise<InstalledBrowser | undefined> {
  const { chromium } = await import('playwright-core');
  const full = chromium.executablePath();
  // Playwright installs the shell beside the full browser with the same revision.
  const shell = full
    .replace(/chromium-(\d+)/, 'chromium_headless_shell-$1')
    .replace(/chrome-(linux|mac|win)([^/\\]*)[/\\].*$/, (_all, platform, arch) =>
      join(`chrome-headless-shell-${platform}${arch}`, `chrome-headless-shell${platform === 'win' ? '.exe' : ''}`),
    );
  return findFirstProgram([shell, full], "Playwright's own");
}

async function findPackagedChromium(home: string): Promise<InstalledBrowser | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    return await unpackChromium(join(dirname(entry), '..', 'bin'), home);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
