import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { type BrowserPool, createBrowserPool } from '../../platform/browser/browser-pool.ts';
import { Failure } from '../../platform/errors.ts';
import { testServer } from '../../platform/page/test-support.ts';
import type { StoredWizard } from '../files/folder.ts';
import { userDataSchema } from '../files/user-data-schema.ts';
import { wizardSchema } from '../files/wizard.ts';
import { createSchemas } from '../validation/schemas.ts';
import { checkWizard, type Drift } from './drift.ts';
import { type Execution, type ExecutionRoom, executeWizard } from './execute.ts';
import { createSlots } from './slots.ts';

export type Answered = string | { status?: number; body: string; headers?: Record<string, string> };

interface Form {
  /** What the site answers, by path; `?` and what follows it is left to the function. */
  site: (path: string, sent: URLSearchParams, request: IncomingMessage) => Answered | Promise<Answered>;
  fields: object[];
  button?: object;
  /** More of the page, and more of the wizard. */
  page?: object;
  wizard?: object;
}

export interface Run {
  done?: Execution;
  failure?: Failure;
  /** The path and query of everything that the site was asked. */
  requests: string[];
}

/** A text field as a file has it. */
export const field = (id: string, more: object = {}) => ({
  label: id,
  field_id: id,
  selector: `#${id}`,
  field_type: 'text',
  interaction: 'fill',
  required: true,
  example_value: 'x',
  ...more,
});

/** Forms of one page on sites of their own, in one browser for all tests of a file. */
export function testForms() {
  const schemas = createSchemas();
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

  const room = (): ExecutionRoom => ({
    browsers: async () => browsers,
    slots: createSlots(),
    schemas,
    inside: undefined,
    checkAddress: async () => {},
    runs: folder.path,
    signal: new AbortController().signal,
    progress: () => {},
    showPicture: () => {},
  });

  async function withForm<Value>(
    { site, fields, button, page, wizard }: Form,
    work: (stored: StoredWizard) => Promise<Value>,
  ): Promise<Value & { requests: string[] }> {
    const requests: string[] = [];
    await using server = await testServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      if (pathname !== '/favicon.ico') requests.push(request.url ?? '');
      const answer = await site(pathname, searchParams, request);
      const { status = 200, body, headers } = typeof answer === 'string' ? { body: answer, headers: {} } : answer;
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
      response.end(`<!doctype html><html lang="en"><title>Form</title>${body}`);
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
    const stored = { wizard: parsed, schema: userDataSchema(parsed), ownSchema: false, path: '' };
    return Object.assign(Object(await work(stored)), { requests });
  }

  return {
    folder: () => folder.path,
    run: (form: Form, data: Record<string, unknown>, more: object = {}): Promise<Run> =>
      withForm(form, async (stored): Promise<Omit<Run, 'requests'>> => {
        const options = { return_screenshots: false, screenshot_quality: 80, timeout_seconds: 120, ...more };
        try {
          return { done: await executeWizard(room(), stored, data, options) };
        } catch (error) {
          if (error instanceof Failure) return { failure: error };
          throw error;
        }
      }),
    check: (form: Form, sends = false): Promise<Drift & { requests: string[] }> =>
      withForm(form, (stored) => checkWizard(room(), stored, { seconds: 120, sends })),
  };
}
