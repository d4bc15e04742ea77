import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createBrowserPool } from '../../src/platform/browser/browser-pool.ts';
import { Failure } from '../../src/platform/errors.ts';
import { executeWizard } from '../../src/wizards/execution/run/execute-wizard.ts';
import { createExecutionSlots } from '../../src/wizards/execution/run/execution-slots.ts';
import type { ExecutionContext } from '../../src/wizards/execution/run/start-run.ts';
import { parseWizard } from '../../src/wizards/files/wizard-files.ts';
import { openWizardFolder, type StoredWizard } from '../../src/wizards/files/wizard-folder.ts';
import { createSchemaCompiler } from '../../src/wizards/validation/schema-compiler.ts';
import { wizardHome } from '../../test/sites/forms/wizard-home.ts';
import { testHome } from '../../test/sites/workspace.ts';
import type { WizardReport } from './wizard-verdict.ts';

export interface WizardEngine extends AsyncDisposable {
  /** Home folder with its wizards and run records. */
  home: string;
  run(wizardId: string, url: string, data: Record<string, unknown>, pictures?: boolean): Promise<WizardReport>;
  /** Milliseconds that the work takes in a new context of the same browser. */
  time(work: (page: Page) => Promise<unknown>): Promise<number>;
}

/** Opens the wizard engine without the protocol. The hand-written scripts use the same browser. */
export async function openWizardEngine(): Promise<WizardEngine> {
  const home = await wizardHome('https://studentaid.gov');
  const browsers = createBrowserPool({ home: testHome });
  const schemas = createSchemaCompiler();
  const context: ExecutionContext = {
    browsers: async () => browsers,
    slots: createExecutionSlots(),
    schemas,
    allowedAddresses: undefined,
    checkAddress: async () => {},
    runs: join(home.path, 'wizards/runs'),
    signal: new AbortController().signal,
    progress: () => {},
    attachScreenshot: ({ uri }) => uri,
  };
  return {
    home: home.path,
    async run(wizardId, url, data, pictures = false) {
      const begun = performance.now();
      const options = { return_screenshots: pictures, screenshot_quality: 80, timeout_seconds: 60 };
      const stored = withSiteUrl(await openWizardFolder(home.path, { baseUrl: url, schemas }).read(wizardId), url);
      const report = await executeWizard(context, stored, data, options).then(succeeded, failed);
      return { ...report, ms: performance.now() - begun };
    },
    async time(work) {
      const begun = performance.now();
      await using opened = await browsers.open({ allowedPrivateAddresses: undefined });
      await work(await opened.context.newPage());
      await opened.context.close();
      return performance.now() - begun;
    },
    async [Symbol.asyncDispose]() {
      await browsers.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** Wizard files in the original format contain the address of their site. */
function withSiteUrl(stored: StoredWizard, url: string): StoredWizard {
  const moved = JSON.stringify(stored.wizard).replaceAll('https://studentaid.gov', url);
  return { ...stored, wizard: parseWizard(JSON.parse(moved), stored.path) };
}

type RunOutcome = Omit<WizardReport, 'ms'>;

function succeeded({ status, results, healed }: Awaited<ReturnType<typeof executeWizard>>): RunOutcome {
  return { status, results, heals: healed.length, error: '' };
}

function failed(error: unknown): RunOutcome {
  if (!(error instanceof Failure)) throw error;
  const { status, healed, validation_errors } = error.details;
  const validation = validation_errors === undefined ? '' : ` ${JSON.stringify(validation_errors)}`;
  return {
    status: typeof status === 'string' ? status : 'error',
    results: {},
    heals: Array.isArray(healed) ? healed.length : 0,
    error: `${error.code}: ${error.message}${validation}`,
  };
}
