import { afterAll, expect, test } from 'vitest';
import { fixtures } from '../../../../test/sites/forms/index.ts';
import { testHome } from '../../../../test/sites/workspace.ts';
import { type Folder, newFolder } from '../../../../test/support/folders.ts';
import { putWizard } from '../../../../test/support/wizards/wizards.ts';
import { createBrowserPool } from '../../../platform/browser/browser-pool.ts';
import { testServer } from '../../../platform/page/test-support.ts';
import { buildUserDataSchema } from '../../files/user-data-schema.ts';
import { openWizardFolder } from '../../files/wizard-folder.ts';
import { wizardSchema } from '../../files/wizard-schema.ts';
import { checkWizard } from '../check/check-wizard.ts';
import { executeWizard } from '../run/execute-wizard.ts';
import { createExecutionSlots } from '../run/execution-slots.ts';
import type { ExecutionContext } from '../run/start-run.ts';

const browsers = createBrowserPool({ home: testHome });
afterAll(() => browsers.close());

const options = { return_screenshots: true, screenshot_quality: 80, timeout_seconds: 120 };
const contextIn = ({ path }: Folder): ExecutionContext => ({
  browsers: async () => browsers,
  slots: createExecutionSlots(),
  allowedAddresses: undefined,
  checkAddress: async () => {},
  runs: path,
  signal: new AbortController().signal,
  progress: () => {},
  attachScreenshot: ({ data }) => Buffer.from(data).toString('base64'),
});

const inFrame = (selector: string) => `iframe[id="inner"] >> internal:control=enter-frame >> ${selector}`;

/** A name at all the positions at which a page can show it. */
const wordsOf = (
  name: string,
) => `<style>p, i, img, input, td { font: 20px monospace } i::after { content: "${name}" }</style>
  <input placeholder="${name}" size="40"><br><i></i><br><img alt="${name}" src="data:," width="300" height="40">
  <table><tr>${name
    .split(/[ -]/)
    .map((word) => `<td>${word}</td>`)
    .join('')}</tr></table>
  <p><b>${name.slice(0, 2)}</b>${name.slice(2).replace(/\S+$/, '<u>$&</u>')}</p><canvas width="400" height="40"></canvas>
  <script>document.querySelector('canvas').getContext('2d').fillText('${name}', 5, 20);</script>`;

/** Screenshots of a form in a frame with a user's name, which the site repeats in its response. */
async function pictures(name: string, isPrivate: boolean): Promise<string[]> {
  await using folder = await newFolder();
  await using site = await testServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const pages: Record<string, string> = {
      '/': '<h1>Around</h1><iframe id="inner" src="/form" width="600" height="400"></iframe>',
      '/form': '<form action="/done"><label for="n">Name</label><input id="n" name="n"><button>Send</button></form>',
      '/done': `<p>Thank you, <b style="font:20px monospace">${searchParams.get('n')}</b>.</p><p>Grant: 42</p>
        ${wordsOf(searchParams.get('n') ?? '')}`,
    };
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Frame</title>${pages[pathname] ?? ''}`);
  });
  const field = {
    label: 'Name',
    field_id: 'name',
    selector: inFrame('#n'),
    field_type: 'text',
    interaction: 'fill',
    example_value: 'x',
    locators: [inFrame('role=textbox[name="Name"]')],
    private: isPrivate,
  };
  const continue_button = { text: 'Send', selector: inFrame('role=button[name="Send"]') };
  const wizard = wizardSchema.parse({
    wizard_id: 'framed',
    name: 'Framed',
    url: site.url,
    discovered_at: '2026-01-01T00:00:00Z',
    discovery_version: '1.0.0',
    total_pages: 1,
    pages: [{ page_number: 1, page_title: 'Form', fields: [field], continue_button }],
    results: { grant: { label: 'Grant' } },
  });
  const stored = { wizard, schema: buildUserDataSchema(wizard), ownSchema: false, path: '' };
  const { results, screenshots } = await executeWizard(contextIn(folder), stored, { name }, options);
  expect(results).toEqual({ grant: '42' });
  return screenshots.map(({ image }) => image);
}

test('masks private values in frames, in fields and in repeated text', async () => {
  const one = await pictures('Zebulon Quack', true);
  expect(one).toHaveLength(2);
  expect(await pictures('Wilhelma Duck', false)).not.toEqual(await pictures('Zebulon Quack', false));
  // Another name has another width, and so has the mask over the response; the mask over the field has not.
  expect((await pictures('Wilhelma Duck', true))[0]).toBe(one[0]);
  expect(await pictures('Zebulon Duack', true)).toEqual(one);
  expect(await pictures('Zeb-Lon Quack', true)).toEqual(await pictures('Zub-Lun Quick', true));
});

test('masks private values in a list of rows in any notation', async () => {
  await using folder = await newFolder();
  await using site = await fixtures['loan-simulator'].start();
  await putWizard(folder.path, 'loan-simulator', site.url, 'loans');
  const stored = await openWizardFolder(folder.path).read('loans');
  const [set] = fixtures['loan-simulator'].sets(1);
  const listOf = async (loan_balance: number) => {
    const loan = { loan_type: 'Private Loan', loan_interest_rate: 5.5, loan_balance };
    const data = { ...set?.data, current_loans: [loan] };
    const { screenshots } = await executeWizard(contextIn(folder), stored, data, options);
    return screenshots.find(({ page }) => page === 6)?.image;
  };
  expect(await listOf(12_345)).toBe(await listOf(67_890));
  expect(site.records.map(({ data }) => data['current_loans'])).toMatchObject([
    [{ loan_balance: 12_345 }],
    [{ loan_balance: 67_890 }],
  ]);
});

/** A form of one page, described by the ids, labels and other properties of its fields. */
function onePage(url: string, fields: [id: string, label: string, more: object][], more: object = {}) {
  const wizard = wizardSchema.parse({
    ...{ wizard_id: 'open', name: 'Open', url, discovered_at: '2026-01-01T00:00:00Z' },
    ...{ discovery_version: '1.0.0', total_pages: 1 },
    pages: [
      {
        ...{ page_number: 1, page_title: 'Form' },
        fields: fields.map(([field_id, label, facts]) => ({
          ...{ field_id, label, selector: `role=textbox[name="${label}"]`, field_type: 'text', interaction: 'fill' },
          ...{ example_value: 'x', ...facts },
        })),
        continue_button: { text: 'Send', selector: 'role=button[name="Send"]' },
      },
    ],
    ...more,
  });
  return { wizard, schema: buildUserDataSchema(wizard), ownSchema: false, path: '' };
}

test('does not mask an empty private field', async () => {
  await using folder = await newFolder();
  const pictureOf = async (page: string, isPrivate: boolean) => {
    await using site = await testServer((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      const isSent = request.url?.includes('?');
      response.end(`<!doctype html><html lang="en"><title>Form</title>${isSent ? '<p>Grant: 42</p>' : page}`);
    });
    const stored = onePage(
      site.url,
      [
        ['town', 'Town', { private: false }],
        ['nickname', 'Nickname', { private: isPrivate }],
      ],
      { results: { grant: { label: 'Grant' } } },
    );
    const { screenshots } = await executeWizard(contextIn(folder), stored, { town: 'Salem' }, options);
    return screenshots[0]?.image;
  };
  const form = (more: string) =>
    `<h1>Form</h1><form><label>Town <input name="t"></label><label>Nickname <input name="n" ${more}></label><button>Send</button></form>`;
  expect(await pictureOf(form(''), true)).toBe(await pictureOf(form(''), false));
  // A value that the page prefilled is private too.
  expect(await pictureOf(form('value="Zeb"'), true)).toBe(await pictureOf(form('value="Wil"'), true));
});

test('limits the time for a screenshot of a page that hangs', async () => {
  await using folder = await newFolder();
  await using site = await testServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Form</title><h1>Form</h1><form><label>Town <input id="t"></label>
      <label>Nickname <input id="n"></label><button>Send</button></form><script>t.oninput = () => { for (;;); };</script>`);
  });
  const stored = onePage(site.url, [
    ['t', 'Town', { example_value: 'Salem', required: true }],
    ['n', 'Nickname', { example_value: '', private: true }],
  ]);
  const { stopped } = await checkWizard(contextIn(folder), stored, { seconds: 4 });
  expect(stopped).toMatchObject({ page: 1 });
});

test('succeeds without a screenshot of a results page that hangs', async () => {
  await using folder = await newFolder();
  await using site = await testServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const name = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('n');
    // The page hangs when the mask for the name is put on it.
    const done = `<p>Thank you, <b>${name}</b>.</p><p>Grant: 42</p><script>new MutationObserver(() => { for (;;); })
      .observe(document.querySelector('b'), { attributes: true });</script>`;
    const form = '<form><label>Name <input name="n"></label><button>Send</button></form>';
    response.end(`<!doctype html><html lang="en"><title>Form</title><h1>Form</h1>${name === null ? form : done}`);
  });
  const field: [string, string, object] = ['name', 'Name', { private: true }];
  const stored = onePage(site.url, [field], { results: { grant: { label: 'Grant' } } });
  const done = await executeWizard(contextIn(folder), stored, { name: 'Zebulon Quack' }, options);
  expect(done.results).toEqual({ grant: '42' });
  expect(done.screenshots.map(({ page }) => page)).toEqual([1]);
  expect(done.warnings).toContain('The screenshot of page results is missing: it could not be taken.');
});
