import { type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { findBrowser } from '../../platform/browser/installed-browser.ts';
import { Failure, quote, systemReason } from '../../platform/errors.ts';
import { type SettingValues, settings } from '../../platform/settings.ts';
import { printStderr, printStdout } from '../command.ts';
import {
  appendJobSummary,
  checkOutputFiles,
  formatShortSummary,
  printAnnotations,
  toLogLine,
  writeOutputFile,
} from './ci-output.ts';
import { ciSettings } from './ci-settings.ts';
import { readPlaywrightResults } from './playwright-results.ts';
import { EXIT_UNKNOWN, formatVerdict, suiteExitCode } from './suite-verdict.ts';

/** Runs an exported Playwright project as `npx playwright test` does. Needs neither a server nor Assay's browser. */
export async function runExportedFolder(folder: string, values: SettingValues, signal: AbortSignal): Promise<number> {
  const path = resolve(folder);
  await readFile(join(path, 'playwright.config.ts')).catch(() => {
    const message = `${folder} has no playwright.config.ts. Export the scripts with qa_test_script_export first.`;
    throw new Failure('configuration', 'BAD_USAGE', message);
  });
  const playwright = findPlaywright(path, folder);
  await checkOutputFiles([values.get(ciSettings.junit), values.get(ciSettings.html)]);
  const results = await mkdtemp(join(tmpdir(), 'assay-ci-'));
  try {
    const browser = await browserFor(path, values.get(settings.home));
    await runPlaywright({ cwd: path, program: playwright, results, browser }, values, signal);
    const written = await readFile(join(results, 'results.json'), 'utf8').catch(() => '');
    const found = readPlaywrightResults(written);
    if (!found) {
      printStderr('assay: Playwright wrote no results. Its output is above.');
      return EXIT_UNKNOWN;
    }
    const threshold = values.get(ciSettings.threshold);
    const verdict = suiteExitCode(found.counts, threshold);
    // Unreadable test files have no results, so the run is not complete.
    const code = verdict === 0 && !found.isWhole ? EXIT_UNKNOWN : verdict;
    const line = formatVerdict(found.counts, threshold, code);
    for (const { title, message } of found.notes) await printStdout(toLogLine(`${title}: ${message}`));
    await printStdout(line);
    await printAnnotations(found.notes);
    await appendJobSummary(formatShortSummary(line, found.notes));
    // A failed copy of the result files does not change a negative verdict.
    return (await areKept(results, values)) || code !== 0 ? code : EXIT_UNKNOWN;
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

/** Finds the Playwright that is installed in the exported folder. */
function findPlaywright(path: string, folder: string): string {
  try {
    return createRequire(join(path, 'playwright.config.ts')).resolve('@playwright/test/cli');
  } catch {
    const message = `Playwright is not installed in ${folder}. Run "npm install" and "npx playwright install chromium" there first.`;
    throw new Failure('configuration', 'NO_PLAYWRIGHT', message);
  }
}

/** Uses Playwright's own browser if it is installed, otherwise the browser that Assay finds. */
async function browserFor(path: string, home: string): Promise<NodeJS.ProcessEnv> {
  if (process.env['PLAYWRIGHT_EXECUTABLE']) return {};
  const { chromium } = playwright.parse(createRequire(join(path, 'playwright.config.ts'))('@playwright/test'));
  if (existsSync(chromium.executablePath())) return {};
  const found = await findBrowser({ env: process.env, home });
  return found ? { ...found.env, PLAYWRIGHT_EXECUTABLE: found.path } : {};
}

/** The Playwright module is a function with its browsers as properties. */
const playwright = z.custom<{ chromium: { executablePath(): string } }>(
  (value) => typeof value === 'function' && 'chromium' in value,
);

interface PlaywrightRun {
  cwd: string;
  /** Path of Playwright's CLI. */
  program: string;
  /** Folder for the results. */
  results: string;
  browser: NodeJS.ProcessEnv;
}

async function runPlaywright(
  { cwd, program, results, browser }: PlaywrightRun,
  values: SettingValues,
  signal: AbortSignal,
): Promise<void> {
  const [baseUrl, scripts] = [values.get(ciSettings.baseUrl), values.get(ciSettings.scripts) ?? []];
  const env = {
    ...process.env,
    ...browser,
    ...(baseUrl && { BASE_URL: baseUrl.href.replace(/\/$/, '') }),
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(results, 'results.json'),
    PLAYWRIGHT_JUNIT_OUTPUT_FILE: join(results, 'junit.xml'),
    PLAYWRIGHT_HTML_OUTPUT_DIR: join(results, 'html'),
    PLAYWRIGHT_HTML_OPEN: 'never',
  };
  // Names of exported files end with the last characters of the script id.
  const filters = scripts.map((id) => {
    if (/^ts_[a-z0-9]{6,}$/.test(id)) return `-${id.slice(-6)}.spec`;
    throw new Failure('configuration', 'BAD_USAGE', `--scripts must be script ids (ts_…), got ${quote(id)}.`);
  });
  const args = [program, 'test', '--reporter=list,junit,html,json', ...filters];
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit'];
  // Playwright closes its browsers on SIGINT.
  const child = spawn(process.execPath, args, { cwd, env, stdio, signal, killSignal: 'SIGINT' });
  const problem = await new Promise<Error | undefined>((done) => {
    child.on('error', (error) => signal.aborted || done(error));
    child.on('close', () => done(undefined));
  });
  if (signal.aborted) throw new Failure('unavailable', 'STOPPED', 'Stopped.');
  if (problem)
    throw new Failure('unavailable', 'NO_PLAYWRIGHT', 'Playwright cannot be started.', {}, { cause: problem });
}

async function areKept(results: string, values: SettingValues): Promise<boolean> {
  try {
    await keepResults(results, values);
    return true;
  } catch (error) {
    printStderr(
      `assay: ${error instanceof Failure ? error.message : `the results cannot be read: ${systemReason(error)}.`}`,
    );
    return false;
  }
}

/** Copies the results. Playwright's HTML report is one file, with evidence in a `data` folder beside it. */
async function keepResults(results: string, values: SettingValues): Promise<void> {
  const [file, page] = [values.get(ciSettings.junit), values.get(ciSettings.html)];
  if (file !== undefined) {
    await writeOutputFile(file, await readFile(join(results, 'junit.xml')));
    await printStdout(`JUnit: ${file}`);
  }
  if (page === undefined) return;
  await writeOutputFile(page, await readFile(join(results, 'html', 'index.html')));
  await cp(join(results, 'html', 'data'), join(dirname(resolve(page)), 'data'), { recursive: true }).catch(() => {});
  await printStdout(`Report: ${page}`);
}
