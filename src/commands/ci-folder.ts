import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import * as z from 'zod';
import { findBrowser } from '../platform/browser/find.ts';
import { Failure, quote } from '../platform/errors.ts';
import { type Given, settings } from '../platform/settings.ts';
import { checkResults, type Note, plainLine, tellGitHub, writeResult } from './ci-output.ts';
import { ciSettings } from './ci-settings.ts';
import { exitCodeOf, type SuiteCounts, UNKNOWN, verdictLine } from './ci-verdict.ts';
import { print, say } from './command.ts';

/** Runs an exported Playwright project by plain `npx playwright test`. Neither a server nor our own browser is needed. */
export async function ciFolder(folder: string, given: Given, signal: AbortSignal): Promise<number> {
  const place = resolve(folder);
  await readFile(join(place, 'playwright.config.ts')).catch(() => {
    const message = `${folder} has no playwright.config.ts: qa_test_script_export writes such a folder.`;
    throw new Failure('configuration', 'BAD_USAGE', message);
  });
  checkPlaywright(place, folder);
  await checkResults([given.get(ciSettings.junit), given.get(ciSettings.html)]);
  const results = await mkdtemp(join(tmpdir(), 'assay-ci-'));
  try {
    await runPlaywright(place, results, given, await browserFor(place, given.get(settings.home)), signal);
    const found = await readResults(join(results, 'junit.xml'));
    if (!found) {
      say('assay: Playwright wrote no results; what it said stands above.');
      return UNKNOWN;
    }
    const threshold = given.get(ciSettings.threshold);
    const code = exitCodeOf(found.counts, threshold);
    const line = verdictLine(found.counts, threshold, code);
    for (const { title, message } of found.notes) await print(plainLine(`${title}: ${message}`));
    await print(line);
    await keepResults(results, given);
    const listed = found.notes.map(({ title }) => `- ${plainLine(title).replace(/[\\`*_{}[\]<>|#]/g, '\\$&')}\n`);
    await tellGitHub(found.notes, `## Tests: ${line}\n\n${listed.join('')}`);
    return code;
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

/** Before npx fetches some other version, or says in its own words that there is none. */
function checkPlaywright(place: string, folder: string): void {
  try {
    createRequire(join(place, 'playwright.config.ts')).resolve('@playwright/test/package.json');
  } catch {
    const message = `Playwright is not installed in ${folder}: run "npm install" and "npx playwright install chromium" there first, as its README says.`;
    throw new Failure('configuration', 'NO_PLAYWRIGHT', message);
  }
}

/** Playwright's own browser where it is installed; else one of this machine, as the rest of Assay would use. */
async function browserFor(place: string, home: string): Promise<NodeJS.ProcessEnv> {
  if (process.env['PLAYWRIGHT_EXECUTABLE']) return {};
  const { chromium } = playwright.parse(createRequire(join(place, 'playwright.config.ts'))('@playwright/test'));
  if (existsSync(chromium.executablePath())) return {};
  const found = await findBrowser({ env: process.env, home });
  return found ? { ...found.env, PLAYWRIGHT_EXECUTABLE: found.path } : {};
}

/** Playwright is a function with its browsers on it. */
const playwright = z.custom<{ chromium: { executablePath(): string } }>(
  (value) => typeof value === 'function' && 'chromium' in value,
);

function runPlaywright(
  cwd: string,
  results: string,
  given: Given,
  browser: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const [baseUrl, scripts] = [given.get(ciSettings.baseUrl), given.get(ciSettings.scripts) ?? []];
  const env = {
    ...process.env,
    ...browser,
    ...(baseUrl && { BASE_URL: baseUrl.href.replace(/\/$/, '') }),
    PLAYWRIGHT_JUNIT_OUTPUT_FILE: join(results, 'junit.xml'),
    PLAYWRIGHT_HTML_OUTPUT_DIR: join(results, 'html'),
    PLAYWRIGHT_HTML_OPEN: 'never',
  };
  // The names of exported files end in those of the scripts' ids.
  const filters = scripts.map((id) => {
    if (/^ts_[a-z0-9]{6,}$/.test(id)) return `-${id.slice(-6)}.spec`;
    throw new Failure('configuration', 'BAD_USAGE', `--scripts must be ids of scripts (ts_…), got ${quote(id)}.`);
  });
  const args = ['--no-install', 'playwright', 'test', '--reporter=list,junit,html', ...filters];
  return new Promise((done, reject) => {
    // On Windows npx is a script of the shell; nothing in these arguments is from outside but ids, which are checked.
    const isWindows = process.platform === 'win32';
    const child = spawn('npx', args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'], shell: isWindows, signal });
    child.on('error', (error) =>
      reject(
        signal.aborted
          ? new Failure('unavailable', 'STOPPED', 'Stopped.')
          : new Failure(
              'unavailable',
              'NO_PLAYWRIGHT',
              'npx playwright test cannot be run here.',
              {},
              { cause: error },
            ),
      ),
    );
    child.on('close', () => done());
  });
}

const several = <Item extends z.ZodType>(item: Item) => z.array(item).default([]);
const attribute = z.coerce.string().default('');
const failure = z.looseObject({ '@message': attribute });
const junit = z.object({
  testsuites: z.object({
    testsuite: several(
      z.object({
        testcase: several(
          z.object({
            '@name': attribute,
            failure: several(failure),
            error: several(failure),
            skipped: several(z.unknown()),
          }),
        ),
      }),
    ),
  }),
});

async function readResults(file: string): Promise<{ counts: SuiteCounts; notes: Note[] } | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lists = ['testsuite', 'testcase', 'failure', 'error', 'skipped'];
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    parseTagValue: false,
    isArray: (name) => lists.includes(name),
  });
  const parsed = junit.safeParse(parser.parse(text));
  if (!parsed.success) return undefined;
  const cases = parsed.data.testsuites.testsuite.flatMap(({ testcase }) => testcase);
  const run = cases.filter(({ skipped }) => skipped.length === 0);
  const bad = run.filter(({ failure: failures, error }) => failures.length + error.length > 0);
  // Without a browser nothing is known about the site.
  const unknown = bad.filter((test) => JSON.stringify(test).includes('browserType.launch'));
  const counts = { passed: run.length - bad.length, failed: bad.length, cancelled: 0, flaky: 0 };
  return {
    counts: { ...counts, inconclusive: unknown.length },
    notes: bad.map((test) => ({
      level: 'error',
      title: `${unknown.includes(test) ? 'inconclusive' : 'failed'}: ${test['@name']}`,
      message: test.failure[0]?.['@message'] ?? test.error[0]?.['@message'] ?? 'no reason was given',
    })),
  };
}

/** Playwright's page stands alone, but for the evidence that it keeps beside it. */
async function keepResults(results: string, given: Given): Promise<void> {
  const [file, page] = [given.get(ciSettings.junit), given.get(ciSettings.html)];
  if (file !== undefined) {
    await writeResult(file, await readFile(join(results, 'junit.xml')));
    await print(`JUnit: ${file}`);
  }
  if (page === undefined) return;
  await writeResult(page, await readFile(join(results, 'html', 'index.html')));
  await cp(join(results, 'html', 'data'), join(dirname(resolve(page)), 'data'), { recursive: true }).catch(() => {});
  await print(`Report: ${page}`);
}
