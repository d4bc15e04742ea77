import { afterAll, beforeAll, expect, test } from 'vitest';
import { testHome } from '../../../../test/sites/workspace.ts';
import { type Folder, newFolder } from '../../../../test/support/folders.ts';
import { type BrowserPool, createBrowserPool } from '../../../platform/browser/browser-pool.ts';
import { testServer } from '../../../platform/page/test-support.ts';
import { buildUserDataSchema } from '../../files/user-data-schema.ts';
import { wizardSchema } from '../../files/wizard-schema.ts';
import { executeWizard } from './execute-wizard.ts';
import { createExecutionSlots } from './execution-slots.ts';

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

/** Fills in a form with these controls; the site answers with the number of values and the last value. */
async function run(ids: readonly string[], body: string, value: (id: string) => string, kind = 'text') {
  await using site = await testServer((request, response) => {
    const sent = [...new URL(request.url ?? '/', 'http://127.0.0.1').searchParams];
    if (request.url?.startsWith('/file')) response.setHeader('content-disposition', 'attachment; filename="a.bin"');
    const results = `<h1>Done</h1><dl><dt>Answers</dt><dd>${sent.length}</dd><dt>Last</dt><dd>${sent.at(-1)?.[1]}</dd></dl>`;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Odd</title>${sent.length > 0 ? results : body}`);
  });
  const fields = ids.map((id) => ({
    label: id,
    field_id: id,
    selector: `#${id}`,
    field_type: kind,
    interaction: 'fill',
    required: true,
    example_value: 'x',
    locators: [`role=${kind === 'select' ? 'combobox' : 'textbox'}[name="${id}"]`],
  }));
  const continue_button = { text: 'Send', selector: 'role=button[name="Send"]' };
  const wizard = wizardSchema.parse({
    wizard_id: 'odd',
    name: 'Odd',
    url: site.url,
    discovered_at: '2026-01-01T00:00:00Z',
    discovery_version: '1.0.0',
    total_pages: 1,
    pages: [{ page_number: 1, page_title: 'Odd', fields, continue_button }],
    results: { answers: { label: 'Answers' }, last: { label: 'Last' } },
  });
  const services = {
    browsers: async () => browsers,
    slots: createExecutionSlots(),
    allowedAddresses: undefined,
    checkAddress: async () => {},
    runs: folder.path,
    signal: new AbortController().signal,
    progress: () => {},
    attachScreenshot: ({ data }: { data: Uint8Array }) => Buffer.from(data).toString('base64'),
  };
  const data = Object.fromEntries(ids.map((id) => [id, value(id)]));
  const options = { return_screenshots: false, screenshot_quality: 80, timeout_seconds: 120 };
  return await executeWizard(
    services,
    { wizard, schema: buildUserDataSchema(wizard), ownSchema: false, path: '' },
    data,
    options,
  );
}

const input = (id: string) => `<div><label for="${id}">${id}</label><input id="${id}" name="${id}"></div>`;
const form = (content: string, more = '') => `<form ${more}>${content}<button>Send</button></form>`;

test('submits 500 fields', async () => {
  const ids = Array.from({ length: 500 }, (_, i) => `f${i}`);
  const { results } = await run(ids, form(ids.map(input).join('')), (id) => (id === 'f499' ? '“&" 🎉 שלום' : id));
  expect(results).toEqual({ answers: '500', last: '“&" 🎉 שלום' });
});

test('chooses the right one of 5,000 options', async () => {
  const options = Array.from({ length: 5_000 }, (_, i) => `<option>Place ${i}</option>`).join('');
  const body = form(`<label for="p">p</label><select id="p" name="p">${options}</select>`);
  expect((await run(['p'], body, () => 'place 4321', 'select')).results['last']).toBe('Place 4321');
});

test('reports a covered button with a screenshot and does not click it', async () => {
  const cover = '<div id="cookie-banner" style="position:fixed;inset:0;background:#fff8">Cookies?</div>';
  await expect(run(['a'], form(input('a')) + cover, () => 'x')).rejects.toMatchObject({
    code: 'selector_not_found',
    message: expect.stringContaining('cookie-banner'),
    details: { page_number: 1, screenshot: expect.stringMatching(/^\/9j\//) },
  });
});

test('fills in all fields of a page that reloads in between', async () => {
  const again = `<script>
    const first = document.querySelector('#a');
    first.value = sessionStorage.a ?? '';
    first.addEventListener('change', () => { sessionStorage.a = first.value; location.reload(); });
  </script>`;
  const { results } = await run(
    ['a', 'b', 'c'],
    form(['a', 'b', 'c'].map(input).join('')) + again,
    (id) => `${id}${id}`,
  );
  expect(results).toEqual({ answers: '3', last: 'cc' });
});

test('finds results in a new tab', async () => {
  const { results } = await run(['a'], form(input('a'), 'target="_blank"'), () => 'x');
  expect(results).toEqual({ answers: '1', last: 'x' });
});

test('reports no success for a download instead of results', async () => {
  await expect(run(['a'], form(input('a'), 'action="/file"'), () => 'x')).rejects.toMatchObject({
    code: 'navigation_failed',
  });
});
