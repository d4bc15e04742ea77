import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { type BrowserPool, createBrowserPool } from '../../platform/browser/browser-pool.ts';
import { Failure } from '../../platform/errors.ts';
import { testServer } from '../../platform/page/test-support.ts';
import { buildUserDataSchema } from '../files/user-data-schema.ts';
import type { StoredWizard } from '../files/wizard-folder.ts';
import { wizardSchema } from '../files/wizard-schema.ts';
import { createSchemaCompiler } from '../validation/schema-compiler.ts';
import { checkWizard, type DriftReport } from './check/check-wizard.ts';
import { executeWizard, type WizardExecution } from './run/execute-wizard.ts';
import { createExecutionSlots } from './run/execution-slots.ts';
import type { ExecutionContext } from './run/start-run.ts';

export type TestResponse = string | { status?: number; body: string; headers?: Record<string, string> };

interface TestForm {
  /** The response of the site for a path without its query. */
  site: (path: string, sent: URLSearchParams, request: IncomingMessage) => TestResponse | Promise<TestResponse>;
  fields: object[];
  button?: object;
  /** More properties of the page and of the wizard. */
  page?: object;
  wizard?: object;
}

export interface TestRun {
  done?: WizardExecution;
  failure?: Failure;
  /** The path and query of every request to the site. */
  requests: string[];
}

/** A text field of a wizard file. */
export const wizardFormField = (id: string, more: object = {}) => ({
  label: id,
  field_id: id,
  selector: `#${id}`,
  field_type: 'text',
  interaction: 'fill',
  required: true,
  example_value: 'x',
  ...more,
});

/** Serves forms of one page on separate sites, with one browser for all tests of a file. */
export function testForms() {
  const schemas = createSchemaCompiler();
  let browsers: BrowserPool;
  let folder: Folder;
  beforeAll(async () => {
    browsers = createBrowserPool({ home: testHome });
    folder = await newFolder();
  });
  afterAll(async () => {
    await browsers.close();
    await folder[Symbol.asyncDispose]();
  });

  const executionContext = (): ExecutionContext => ({
    browsers: async () => browsers,
    slots: createExecutionSlots(),
    schemas,
    allowedAddresses: undefined,
    checkAddress: async () => {},
    runs: folder.path,
    signal: new AbortController().signal,
    progress: () => {},
    attachScreenshot: ({ data }) => Buffer.from(data).toString('base64'),
  });

  async function withForm<Value>(
    { site, fields, button, page, wizard }: TestForm,
    work: (stored: StoredWizard) => Promise<Value>,
  ): Promise<Value & { requests: string[] }> {
    const requests: string[] = [];
    await using server = await testServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      if (pathname !== '/favicon.ico') requests.push(request.url ?? '');
      const answer = await site(pathname, searchParams, request);
      const { status = 200, body, headers } = typeof answer === 'string' ? { body: answer, headers: {} } : answer;
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
      const isPage = headers?.['content-type'] === undefined;
      response.end(isPage ? `<!doctype html><html lang="en"><title>Form</title>${body}` : body);
    });
    const continue_button = button ?? { text: 'Send', selector: 'role=button[name="Send"]' };
    const parsed = wizardSchema.parse({
      wizard_id: 'form',
      name: 'Form',
      url: server.url,
      discovered_at: '2026-01-01T00:00:00Z',
      discovery_version: '1.0.0',
      total_pages: 1,
      pages: [{ page_number: 1, page_title: 'Form', fields, continue_button, ...page }],
      ...wizard,
    });
    const stored = { wizard: parsed, schema: buildUserDataSchema(parsed), ownSchema: false, path: '' };
    return Object.assign(Object(await work(stored)), { requests });
  }

  return {
    folder: () => folder.path,
    run: (form: TestForm, data: Record<string, unknown>, more: object = {}): Promise<TestRun> =>
      withForm(form, async (stored): Promise<Omit<TestRun, 'requests'>> => {
        const options = { return_screenshots: false, screenshot_quality: 80, timeout_seconds: 120, ...more };
        try {
          return { done: await executeWizard(executionContext(), stored, data, options) };
        } catch (error) {
          if (error instanceof Failure) return { failure: error };
          throw error;
        }
      }),
    check: (form: TestForm, sends = false): Promise<DriftReport & { requests: string[] }> =>
      withForm(form, (stored) => checkWizard(executionContext(), stored, { seconds: 120, sends })),
  };
}
