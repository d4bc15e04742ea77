import type { Browser } from 'playwright-core';
import { Failure } from '../errors.ts';
import { childEnvironment } from '../process/child-environment.ts';
import type { InstalledBrowser } from './browser-model.ts';
import { findBrowser } from './installed-browser.ts';
import { createTraceFolder, removeTraceFolder } from './trace-folder.ts';

/** Disables background traffic to anything but the visited site. */
const QUIET_FLAGS = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];

interface LaunchOptions {
  env?: NodeJS.ProcessEnv;
  /** The program to start, instead of the one of ASSAY_BROWSER. */
  browserPath?: string | undefined;
  home: string;
  /** Command line flags in addition to the fixed ones. */
  flags?: readonly string[];
}

/** Finds a browser and starts it. A pipe ties it to this process, so that it also ends when this process is killed. */
export async function launchBrowser({
  env: ownEnv = process.env,
  browserPath,
  home,
  flags = [],
}: LaunchOptions): Promise<Browser> {
  const env = browserPath === undefined ? ownEnv : { ...ownEnv, ASSAY_BROWSER: browserPath };
  const found = await findBrowser({ env, home });
  if (!found) throw browserMissing();
  // Without a writable data folder the browser uses its own temporary folder.
  return start(found, { env, flags, folder: await createTraceFolder(home).catch(() => undefined) });
}

interface StartOptions extends Required<Omit<LaunchOptions, 'home' | 'browserPath'>> {
  folder: string | undefined;
}

async function start(found: InstalledBrowser, { env, flags, folder }: StartOptions): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  try {
    const browser = await chromium.launch({
      executablePath: found.path,
      headless: true,
      // Chromium's sandbox does not work for root, nor in most containers.
      chromiumSandbox: process.getuid?.() !== 0 && env['ASSAY_NO_SANDBOX'] === undefined,
      args: [...QUIET_FLAGS, ...flags],
      env: { ...childEnvironment(env), ...found.env },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      ...(folder !== undefined && { artifactsDir: folder, tracesDir: folder }),
    });
    return browser.once('disconnected', () => removeTraceFolder(folder));
  } catch (error) {
    removeTraceFolder(folder);
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    const message = `The browser ${found.path} (${found.source}) does not start: ${reason.slice(0, 200)} Set ASSAY_BROWSER to another one, or run \`assay doctor\`.`;
    throw new Failure('unavailable', 'BROWSER_BROKEN', message, {}, { cause: error });
  }
}

function browserMissing(): Failure {
  const install =
    process.platform === 'linux'
      ? 'apt-get install chromium-headless-shell, or npx playwright-core install --with-deps --only-shell chromium'
      : 'npx playwright-core install --only-shell chromium';
  return new Failure(
    'unavailable',
    'BROWSER_MISSING',
    `No browser was found. Install one (${install}), or set ASSAY_BROWSER to its path.`,
  );
}
