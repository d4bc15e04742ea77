import { Failure, systemReason } from '../../platform/errors.ts';
import { serialGroups } from '../cases/write/serial-groups.ts';
import { invalidArgument, requireOwnedInProject, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import type { QaProject, TestScript } from '../store/qa-store.ts';
import { listCurrentScripts } from './current-scripts.ts';
import { writeExportFolder, writeExportZip } from './export-target.ts';

export interface ExportRequest {
  projectId: string;
  testScriptIds: readonly string[] | undefined;
  format: 'folder' | 'zip';
  /** Target folder or path of the zip file. */
  path: string;
}

/** Writes the active scripts as a standalone Playwright project. */
export async function exportScripts(qa: QaContext, { projectId, testScriptIds, format, path }: ExportRequest) {
  const project = await requireProject(qa, projectId);
  const skipped = await listInactiveScripts(qa, projectId, testScriptIds ?? []);
  const scripts = await listCurrentScripts(qa.store, { projectId, ...(testScriptIds && { id: testScriptIds }) });
  if (scripts.length === 0)
    throw invalidArgument(
      'testScriptIds',
      'The project has no active script to export. Generate scripts with qa_workflow_start_test_script_generation.',
    );
  const turns = await serialGroups(qa.store, projectId);
  const files = renderProjectFiles(project, scripts, ({ testCaseId }) => turns.has(testCaseId));
  const { removed } = await withWriteFailure(path, () =>
    (format === 'zip' ? writeExportZip : writeExportFolder)(path, files),
  );
  const environment = ['BASE_URL', ...secretNames(scripts)];
  return { path, files: [...files.keys()], tests: scripts.length, environment, removed, skipped };
}

/** Requested scripts that are not active. */
async function listInactiveScripts(qa: QaContext, projectId: string, ids: readonly string[]) {
  const skipped: { testScriptId: string; status: string }[] = [];
  for (const testScriptId of new Set(ids)) {
    const { status } = await requireOwnedInProject(qa, projectId, qa.store.testScripts, 'testScriptIds', testScriptId);
    if (status !== 'active') skipped.push({ testScriptId, status });
  }
  return skipped;
}

async function withWriteFailure<Result>(path: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('unavailable', 'NOT_WRITTEN', `Cannot write to ${path}: ${systemReason(error)}.`, {
      field: 'path',
    });
  }
}

function secretNames(scripts: readonly TestScript[]): string[] {
  return [...new Set(scripts.flatMap(({ secrets }) => secrets))].toSorted();
}

/** A readable and unique file name. */
function specFileName({ name, id }: TestScript, folder: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${folder}/${words.slice(0, 60) || 'test'}-${id.slice(-6)}.spec.ts`;
}

/** Folder of the tests that change shared data; they run with one worker. */
const SERIAL_FOLDER = 'one-at-a-time';

function renderProjectFiles(
  project: QaProject,
  scripts: readonly TestScript[],
  takesTurns: (script: TestScript) => boolean,
): Map<string, string> {
  const secrets = secretNames(scripts);
  const folderOf = (script: TestScript) => (takesTurns(script) ? SERIAL_FOLDER : 'tests');
  return new Map([
    ['package.json', renderPackageJson(project)],
    ['playwright.config.ts', renderPlaywrightConfig(new Set(scripts.map(folderOf)))],
    ['README.md', renderReadme(project, scripts, secrets)],
    ['.gitignore', ['.env', 'node_modules/', 'playwright-report/', 'test-results/', ''].join('\n')],
    ['.env.example', ['BASE_URL=', ...secrets.map((name) => `${name}=`), ''].join('\n')],
    ...scripts.map((script) => [specFileName(script, folderOf(script)), script.spec] as const),
  ]);
}

function renderPackageJson({ name }: QaProject): string {
  const facts = {
    name: `${
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '') || 'site'
    }-tests`,
    private: true,
    type: 'module',
    scripts: { test: 'playwright test' },
    devDependencies: { '@playwright/test': '^1.52.0' },
  };
  return `${JSON.stringify(facts, null, 2)}\n`;
}

const renderPlaywrightConfig = (folders: ReadonlySet<string>) => `import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

// Variables of .env apply unless the environment sets them; .env.example lists them.
const env = fileURLToPath(new URL('.env', import.meta.url));
if (existsSync(env)) process.loadEnvFile(env);

// PLAYWRIGHT_EXECUTABLE is the path of an installed browser; by default Playwright uses its own.
const executablePath = process.env['PLAYWRIGHT_EXECUTABLE'];

export default defineConfig({
  fullyParallel: true,
  ${renderTestFolders(folders)}
  forbidOnly: Boolean(process.env['CI']),
  // One retry separates flaky from failing tests.
  retries: 1,
  reporter: [['list'], ['html', { open: 'never' }], ['junit', { outputFile: 'results.xml' }]],
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    // Keep traces of failed attempts; the passing retry of a flaky test shows nothing.
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    ...(executablePath && { launchOptions: { executablePath } }),
  },
});
`;

/** Playwright projects are needed only if both folders are used. */
function renderTestFolders(folders: ReadonlySet<string>): string {
  if (!folders.has(SERIAL_FOLDER)) return `testDir: 'tests',`;
  if (folders.size === 1) return `testDir: '${SERIAL_FOLDER}',\n  workers: 1,`;
  return `projects: [
    { name: 'side by side', testDir: 'tests' },
    // These tests change shared data such as settings, so they run one at a time.
    { name: 'one at a time', testDir: '${SERIAL_FOLDER}', workers: 1 },
  ],`;
}

function renderReadme({ name, url }: QaProject, scripts: readonly TestScript[], secrets: readonly string[]): string {
  return `# Tests of ${name}

${scripts.length} end-to-end tests for Playwright${url ? `, written on ${url}` : ''}. Each file is independent.

    npm install
    npx playwright install chromium
    npx playwright test

Set these variables in the environment or in a file \`.env\` beside this one (see \`.env.example\`; do not commit it):

- \`BASE_URL\`: another origin of the same site, e.g. http://localhost:3000.
- \`PLAYWRIGHT_EXECUTABLE\`: path of an installed browser.
${secrets.length > 0 ? `- One variable per secret: ${secrets.map((secret) => `\`${secret}\``).join(', ')}.\n` : ''}`;
}
