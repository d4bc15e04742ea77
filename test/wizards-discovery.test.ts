import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtures } from './sites/forms/index.ts';
import type { FormSite } from './sites/forms/server.ts';
import { type ServedSite, serveSite } from './sites/serve.ts';
import { scanEnvironment } from './support/accessibility.ts';
import { type Connection, connectStdio } from './support/assay.ts';
import { type Folder, newFolder } from './support/folders.ts';

// biome-ignore lint/suspicious/noExplicitAny: each tool has its own result, and the tests say which
type Result = any;

let folder: Folder;
let env: Record<string, string>;
let client: Connection;
let traps: ServedSite;

interface Called {
  data: Result;
  text: string;
  images: Buffer[];
  isError: boolean;
}

async function callOn(on: Connection, name: string, args: Record<string, unknown>): Promise<Called> {
  const result = await on.callTool({ name, arguments: args });
  const [first] = result.content;
  return {
    data: result.structuredContent,
    text: first?.type === 'text' ? first.text : '',
    images: result.content.flatMap((block) => (block.type === 'image' ? [Buffer.from(block.data, 'base64')] : [])),
    isError: result.isError === true,
  };
}

const call = (name: string, args: Record<string, unknown>) => callOn(client, name, args);

/** The result of a call that must work. */
async function ok(name: string, args: Record<string, unknown>): Promise<Result> {
  const { data, text, isError } = await call(name, args);
  if (isError) throw new Error(text);
  return data;
}

const start = async (url: string): Promise<string> => (await ok('federalscout_start_discovery', { url })).session_id;

const isJpeg = (picture: Buffer) => picture.subarray(0, 3).toString('hex') === 'ffd8ff';
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const html = (body: string) => ({
  body: `<!doctype html><html lang="en"><title>Trap</title><body>${body}</body></html>`,
});

const pages: Record<string, string> = {
  '/many': Array.from({ length: 500 }, (_, i) => `<label for="f${i}">Field ${i}</label><input id="f${i}">`).join(''),
  '/options': `<label>Town <select id="town">${Array.from({ length: 5_000 }, (_, i) => `<option value="${i}">Town ${i}</option>`).join('')}</select></label><button>Continue</button>`,
  '/odd': `<form><label>שם פרטי <input id="he" name="first"></label><label>Mood 😀 <input></label><label>Story <textarea></textarea></label>
    <label>Secret <input type="password" value="hunter2"></label><button>Continue</button></form>`,
  '/twins': '<p>Two of them</p><button>Next</button><button>Next</button><button id="other">Something else</button>',
  '/covered': `<button id="go">Continue</button><div class="cover" style="position:fixed;inset:0;background:#0008"></div>`,
  '/leaves': `<button onclick="setTimeout(() => { location.href = '/arrived' })">Go</button>`,
  '/arrived': '<h1>Arrived</h1>',
  '/beside': `<button id="dialog" onclick="alert('Are you sure?')">Ask</button>
    <a id="download" href="/file.csv" download>Download</a><button id="tab" onclick="window.open('/arrived')">Tab</button>`,
  '/depends': `<h1>Taxes</h1><form><fieldset><legend>Did you file taxes?</legend>
      <label><input type="radio" name="filed" value="yes" onchange="more.hidden = false"> Yes</label>
      <label><input type="radio" name="filed" value="no" onchange="more.hidden = true"> No</label></fieldset>
    <div id="more" hidden><label>Income <input name="income" inputmode="numeric"></label></div><button>Continue</button></form>`,
};

beforeAll(async () => {
  folder = await newFolder();
  env = await scanEnvironment(folder);
  client = await connectStdio('modern', { env });
  traps = await serveSite((path) => {
    if (path === '/file.csv') return { type: 'text/csv', body: 'a,b' };
    if (path === '/blocked') return { status: 403, ...html('<p>Verifying you are human</p><p>Ray ID: 7</p>') };
    const body = pages[path.split('?')[0] ?? ''];
    return body === undefined ? undefined : html(body);
  });
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await traps[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('a discovery, from the first page to the wizard', () => {
  let site: FormSite;
  let session_id: string;
  beforeAll(async () => {
    site = await fixtures['aid-estimator'].start();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  test('opens the form, shows it, and says what comes next', async () => {
    const { data, text, images } = await call('federalscout_start_discovery', { url: `${site.url}/` });
    expect(data).toMatchObject({
      status: 'success',
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      current_url: `${site.url}/`,
      message: expect.stringContaining('federalscout_get_page_info'),
      unfinished: [],
      timestamp: moment,
    });
    expect(data.html_context).toContainEqual({
      tag: 'a',
      type: null,
      id: 'fsa_Button_StartEstimate',
      class: 'primary',
      text: 'Start Estimate',
    });
    const picture = Buffer.from(data.screenshot, 'base64');
    expect(isJpeg(picture)).toBe(true);
    expect(picture.length).toBeLessThan(110_000);
    expect(images).toEqual([picture]);
    expect(text).not.toContain(data.screenshot.slice(0, 100));
    expect(JSON.parse(text).session_id).toBe(data.session_id);
    session_id = data.session_id;
  });

  test('goes to the first page by the words of its button', async () => {
    const data = await ok('federalscout_click_element', { session_id, selector: 'Start Estimate' });
    expect(data).toMatchObject({
      success: true,
      status: 'success',
      current_url: expect.stringMatching(/student-information$/),
      message: expect.stringContaining('led to another page'),
    });
  });

  test('describes the page, and proposes its metadata ready to save', async () => {
    const data = await ok('federalscout_get_page_info', { session_id });
    expect(data.page_title).toContain('Student Information');
    expect(data.elements.inputs).toContainEqual(
      expect.objectContaining({
        type: 'radio',
        id: 'fsa_Radio_MaritalStatusUnmarried',
        name: expect.any(String),
        class: expect.any(String),
        visible: true,
        value: 'unmarried',
      }),
    );
    expect(data.elements.buttons).toContainEqual(
      expect.objectContaining({ text: 'Continue', id: 'fsa_Button_FlowPrimary', type: 'submit' }),
    );
    const { proposed_page_metadata: page } = data;
    expect(page).toMatchObject({ page_number: 1, page_title: 'Student Information' });
    expect(page.continue_button).toMatchObject({ text: 'Continue', selector: '#fsa_Button_FlowPrimary' });
    const field = (id: string) => page.fields.find((each: Result) => each.field_id === id);
    expect(field('student_date_of_birth')).toMatchObject({ field_type: 'group', required: true, private: true });
    expect(field('student_marital_status')).toMatchObject({
      label: 'What is the student’s marital status?',
      field_type: 'radio',
      interaction: 'javascript_click',
      required: true,
    });
    expect(field('student_marital_status').options.map(({ value, selector }: Result) => [value, selector])).toEqual([
      ['unmarried', '#fsa_Radio_MaritalStatusUnmarried'],
      ['married', '#fsa_Radio_MaritalStatusMarriedReMarried'],
      ['separated', '#fsa_Radio_MaritalStatusSeparated'],
    ]);
    expect(field('student_state_of_residence')).toMatchObject({ field_type: 'typeahead', interaction: 'fill_enter' });
    const saved = await ok('federalscout_save_page_metadata', { session_id, page_metadata: page });
    expect(saved).toMatchObject({ success: true, total_pages_discovered: 1, warnings: [], timestamp: moment });
    const again = await ok('federalscout_save_page_metadata', { session_id, page_metadata: page });
    expect(again).toMatchObject({ total_pages_discovered: 1, message: expect.stringContaining('again') });
    expect(JSON.parse(readFileSync(saved.partial_file, 'utf8')).pages).toHaveLength(1);
  });

  test('tells the actions that failed by their numbers, does the others, and shows the page once', async () => {
    const { data, images } = await call('federalscout_execute_actions', {
      session_id,
      actions: [
        { action: 'fill', selector: 'Date of birth', value: '2007-05-15' },
        { action: 'fill', selector: '#fsa_Input_DateOfBirthMonht', value: '05' },
        { action: 'check', selector: '#fsa_Radio_MaritalStatusSeparated' },
        { action: 'select', selector: 'marital status', value: 'widowed' },
        { action: 'fill', selector: '#fsa_Typeahead_StateOfResidence', value: 'Illinois' },
      ],
    });
    expect(data).toMatchObject({ success: false, completed_count: 3, total_actions: 5, timestamp: moment });
    expect(data.failed_actions).toEqual([
      {
        index: 2,
        action: 'fill',
        error: expect.stringContaining('"#fsa_Input_DateOfBirthMonht"'),
        suggestion: expect.any(String),
      },
      { index: 4, action: 'select', error: expect.stringContaining('has no such option') },
    ]);
    expect(images).toHaveLength(1);
    const page = await ok('federalscout_get_page_info', { session_id });
    expect(page.proposed_page_metadata.page_number).toBe(1);
    expect(page.elements.inputs).toContainEqual(
      expect.objectContaining({ id: 'fsa_Typeahead_StateOfResidence', value: 'Illinois' }),
    );
  });

  test('becomes a wizard with its schema, its way in, and warnings about what is not right', async () => {
    await ok('federalscout_save_page_metadata', {
      session_id,
      page_metadata: {
        page_number: 3,
        page_title: 'By hand',
        fields: [
          {
            label: 'Month',
            field_id: 'birth_month',
            selector: 'input',
            field_type: 'text',
            interaction: 'fill',
            example_value: '05',
          },
          {
            label: 'Ghost',
            field_id: 'ghost',
            selector: '#ghost',
            field_type: 'text',
            interaction: 'fill',
            example_value: 'x',
          },
        ],
        continue_button: { text: 'Continue', selector: '#nowhere' },
      },
    });
    const data = await ok('federalscout_complete_discovery', {
      session_id,
      wizard_name: 'Aid estimator',
      wizard_id: 'my-estimator',
    });
    expect(data).toMatchObject({
      success: true,
      status: 'success',
      wizard_id: 'my-estimator.json',
      saved_to: join(env['ASSAY_HOME'] ?? '', 'wizards/my-estimator.json'),
      previous_version: null,
      timestamp: moment,
      validation: { valid: false, total_pages: 2, total_fields: 5 },
    });
    expect(data.validation.warnings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Page 2 was not saved/),
        expect.stringMatching(/the selector input of 'Month' matches \d+ elements/),
        expect.stringContaining("the selector #ghost of 'Ghost' matches nothing"),
        expect.stringContaining('the continue button #nowhere is not on the page'),
        expect.stringContaining('No results are named'),
      ]),
    );
    const wizard = JSON.parse(readFileSync(data.saved_to, 'utf8'));
    expect(wizard).toMatchObject({
      url: `${site.url}/`,
      discovered_at: moment,
      start_action: { description: 'Click "Start Estimate"', selector: 'role=button[name="Start Estimate"]' },
    });
    const schema = JSON.parse(readFileSync(data.schema_saved_to, 'utf8'));
    expect(schema.properties.student_marital_status.enum).toEqual(['unmarried', 'married', 'separated']);
    expect(readdirSync(join(env['ASSAY_HOME'] ?? '', 'wizards/partial'))).toEqual([]);
    expect((await call('federalscout_get_page_info', { session_id })).data).toMatchObject({
      status: 'error',
      error_type: 'invalid_session',
    });
    const { wizards } = await ok('federalrunner_list_wizards', {});
    expect(wizards).toContainEqual(expect.objectContaining({ wizard_id: 'my-estimator.json', name: 'Aid estimator' }));
  });

  test('made again keeps the version that was there', async () => {
    const again = await start(`${traps.url}/depends`);
    const info = await ok('federalscout_get_page_info', { session_id: again });
    await ok('federalscout_save_page_metadata', { session_id: again, page_metadata: info.proposed_page_metadata });
    const data = await ok('federalscout_complete_discovery', {
      session_id: again,
      wizard_name: 'Another',
      wizard_id: 'my-estimator.json',
    });
    expect(JSON.parse(readFileSync(data.previous_version, 'utf8')).name).toBe('Aid estimator');
  });
});

test('a question that an answer makes appear depends on that answer', async () => {
  const session_id = await start(`${traps.url}/depends`);
  const { completed_count } = await ok('federalscout_execute_actions', {
    session_id,
    actions: [{ action: 'check', selector: 'Yes' }],
  });
  expect(completed_count).toBe(1);
  const { proposed_page_metadata: page } = await ok('federalscout_get_page_info', { session_id });
  expect(page.fields).toMatchObject([
    { field_id: 'did_you_file_taxes', example_value: 'yes' },
    { field_id: 'income', visible_when: { field: 'did_you_file_taxes', equals: 'yes' } },
  ]);
});

test('a form is discovered by what is proposed, and the wizard sends and finds the same as its discoverer', async () => {
  await using site = await fixtures['benefit-calculator'].start();
  const session_id = await start(`${site.url}/`);
  const info = await ok('federalscout_get_page_info', { session_id });
  const { continue_button } = info.proposed_page_metadata;
  // What the form accepts is for the agent to know; everything else is as proposed.
  const accepted: Record<string, string> = { date_of_birth: '1980-06-15', future_retirement_date_year: '2047' };
  accepted['last_year_you_had_covered_earnings_year'] = '2020';
  const fields = info.proposed_page_metadata.fields.map((field: Result) => ({
    ...field,
    field_id: field.field_id.replace(/^earnings_in_the_current_year$/, 'current_earnings'),
    example_value: accepted[field.field_id] ?? field.example_value,
  }));
  await ok('federalscout_save_page_metadata', {
    session_id,
    page_metadata: { ...info.proposed_page_metadata, fields },
  });
  const actions = fields.map(({ label, field_type, selector, example_value }: Result) => ({
    action: field_type === 'radio' ? 'select' : 'fill',
    selector: field_type === 'radio' || field_type === 'group' ? label : selector,
    value: example_value,
  }));
  const filled = await ok('federalscout_execute_actions', {
    session_id,
    actions: [...actions, { action: 'click', selector: continue_button.selector }],
  });
  expect(filled).toMatchObject({ failed_actions: [], errors: [] });
  const { validation, wizard_structure } = await ok('federalscout_complete_discovery', {
    session_id,
    wizard_name: 'Benefits',
    wizard_id: 'benefits',
  });
  expect(validation.warnings).toEqual([]);
  expect(Object.keys(wizard_structure.results).length).toBeGreaterThan(0);
  const user_data = Object.fromEntries(fields.map(({ field_id, example_value }: Result) => [field_id, example_value]));
  const run = await ok('federalrunner_execute_wizard', { wizard_id: 'benefits', user_data });
  expect(run).toMatchObject({ status: 'success', healed: [] });
  const [mine, theirs] = site.records.filter(({ finished }) => finished);
  expect(theirs?.data).toEqual(mine?.data);
  expect(Object.values(run.results)).toEqual(expect.arrayContaining(Object.values(theirs?.results ?? {}).map(String)));
});

describe('a click that does not work', () => {
  test('on nothing names a selector that does exist', async () => {
    const session_id = await start(`${traps.url}/twins`);
    const { data, images, isError, text } = await call('federalscout_click_element', {
      session_id,
      selector: '#othe',
    });
    expect(isError).toBe(true);
    expect(data).toMatchObject({
      success: false,
      status: 'error',
      error_type: 'element_not_found',
      error: expect.stringContaining('"#othe"'),
      suggestion: expect.stringContaining('#other'),
      corrective_action: expect.any(String),
      timestamp: moment,
    });
    expect(isJpeg(Buffer.from(data.screenshot, 'base64'))).toBe(true);
    expect(images).toHaveLength(1);
    expect(text).not.toContain(data.screenshot.slice(0, 100));
  });

  test('on one of several says how many there are', async () => {
    const session_id = await start(`${traps.url}/twins`);
    const { data } = await call('federalscout_click_element', { session_id, selector: 'Next' });
    expect(data).toMatchObject({ error_type: 'not_clickable', error: expect.stringContaining('2 elements') });
    expect((await ok('federalscout_click_element', { session_id, selector: '#other' })).success).toBe(true);
  });

  test('on something covered says what lies over it', async () => {
    const session_id = await start(`${traps.url}/covered`);
    const { data } = await call('federalscout_click_element', { session_id, selector: '#go' });
    expect(data).toMatchObject({
      error_type: 'not_clickable',
      error: expect.stringMatching(/something else lies over it.*cover/),
    });
  });

  test.each([
    ['text', 'Something else'],
    ['id', 'other'],
    ['id', '#other'],
    ['css', 'button#other'],
    ['auto', "button:has-text('Something')"],
    ['auto', 'Something else'],
    ['auto', 'other'],
    ['auto', '//button[@id="other"]'],
  ])('and one that does, by %s: %s', async (selector_type, selector) => {
    const session_id = await start(`${traps.url}/twins`);
    const data = await ok('federalscout_click_element', { session_id, selector, selector_type });
    expect(data.message).toContain('"Something else"');
  });
});

describe('what happens beside the page', () => {
  test('a page that goes elsewhere in the middle is followed', async () => {
    const session_id = await start(`${traps.url}/leaves`);
    const data = await ok('federalscout_click_element', { session_id, selector: 'Go' });
    await expect
      .poll(async () => (await ok('federalscout_get_page_info', { session_id })).current_url)
      .toBe(`${traps.url}/arrived`);
    expect(data.success).toBe(true);
  });

  test('dialogs are dismissed, downloads dropped and tabs followed, and all of it is told', async () => {
    const session_id = await start(`${traps.url}/beside`);
    const click = (selector: string) => ok('federalscout_click_element', { session_id, selector });
    expect((await click('#dialog')).message).toContain('"Are you sure?"');
    expect((await click('#download')).message).toContain('"file.csv"');
    await click('#tab');
    await expect
      .poll(async () => (await ok('federalscout_get_page_info', { session_id })).current_url)
      .toBe(`${traps.url}/arrived`);
  });
});

describe('pages out of the ordinary', () => {
  test('500 fields are proposed and saved; the text that a model reads stays short', async () => {
    const session_id = await start(`${traps.url}/many`);
    const { data, text } = await call('federalscout_get_page_info', { session_id });
    const { proposed_page_metadata: page } = data;
    expect(page.fields).toHaveLength(500);
    expect(text).toContain('… and 400 more');
    const saved = await call('federalscout_save_page_metadata', {
      session_id,
      page_metadata: { ...page, continue_button: { text: 'None', selector: '#f0' } },
    });
    expect(saved.data.warnings).toEqual([]);
  });

  test('5,000 options are all there', async () => {
    const session_id = await start(`${traps.url}/options`);
    const data = await ok('federalscout_get_page_info', { session_id });
    expect(data.elements.selects[0].options).toHaveLength(5_000);
    expect(data.proposed_page_metadata.fields[0].options).toHaveLength(5_000);
    const { failed_actions } = await ok('federalscout_execute_actions', {
      session_id,
      actions: [{ action: 'select', selector: '#town', value: 'Town 4321' }],
    });
    expect(failed_actions).toEqual([]);
  });

  test('labels from right to left and with emoji, values with quotes and newlines; passwords are never told', async () => {
    const session_id = await start(`${traps.url}/odd`);
    const answer = await call('federalscout_execute_actions', {
      session_id,
      actions: [
        { action: 'fill', selector: 'שם פרטי', value: 'דוד' },
        { action: 'fill', selector: 'Mood 😀', value: `it's "fine" \\ 😀` },
        { action: 'fill', selector: 'Story', value: 'one\n"two"\nthree' },
        { action: 'fill', selector: 'Secret', value: 'correct horse' },
      ],
    });
    expect(answer.data.failed_actions).toEqual([]);
    const { data, text } = await call('federalscout_get_page_info', { session_id });
    expect(data.proposed_page_metadata.fields).toMatchObject([
      { label: 'שם פרטי', field_id: 'first', example_value: 'דוד' },
      { label: 'Mood 😀', field_id: 'mood', example_value: `it's "fine" \\ 😀` },
      { label: 'Story', example_value: 'one\n"two"\nthree' },
      { label: 'Secret', private: true },
    ]);
    expect(JSON.stringify([answer.data, data]) + text + answer.text).not.toMatch(/hunter2|correct horse/);
  });
});

describe('what cannot be discovered', () => {
  async function closedPort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    await new Promise((resolve) => server.close(resolve));
    return typeof address === 'object' && address ? address.port : 1;
  }

  test.each([['not a url'], ['ftp://example.org/'], ['javascript:alert(1)'], ['file:///etc/passwd']])(
    '%s is no address',
    async (url) => {
      const { data, isError } = await call('federalscout_start_discovery', { url });
      expect(isError).toBe(true);
      expect(data).toMatchObject({ status: 'error', error_type: 'invalid_url', screenshot: null, timestamp: moment });
    },
  );

  test('a site that is down, one that is not there, one that blocks, and a file', async () => {
    const down = await call('federalscout_start_discovery', { url: `http://127.0.0.1:${await closedPort()}/` });
    expect(down.data).toMatchObject({
      error_type: 'navigation_failed',
      error: expect.stringContaining('the connection was refused'),
      screenshot: null,
    });
    const missing = await call('federalscout_start_discovery', { url: `${traps.url}/nothing` });
    expect(missing.data).toMatchObject({ error_type: 'navigation_failed', error: expect.stringContaining('404') });
    const blocked = await call('federalscout_start_discovery', { url: `${traps.url}/blocked` });
    expect(blocked.data).toMatchObject({
      error_type: 'navigation_failed',
      error: expect.stringContaining('wall against robots (Cloudflare)'),
      technical_details: 'SITE_BLOCKED',
    });
    expect(isJpeg(Buffer.from(blocked.data.screenshot, 'base64'))).toBe(true);
    const unsafe = await call('federalscout_start_discovery', { url: 'http://127.0.0.1:6666/' });
    expect(unsafe.data).toMatchObject({
      error_type: 'navigation_failed',
      error: '"http://127.0.0.1:6666/" cannot be opened: it leads to an address that browsers do not open.',
      corrective_action: expect.any(String),
    });
    for (const { text } of [down, missing, blocked, unsafe]) expect(text).not.toMatch(/page\.goto|net::|ERR_/);
    const file = await call('federalscout_start_discovery', { url: `${traps.url}/file.csv` });
    expect(file.data).toMatchObject({ error_type: 'navigation_failed' });
    expect(await start(`${traps.url}/twins`)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['federalscout_click_element', { selector: '#x' }],
    ['federalscout_get_page_info', {}],
    ['federalscout_execute_actions', { actions: [{ action: 'click', selector: '#x' }] }],
    ['federalscout_save_page_metadata', { page_metadata: {} }],
    ['federalscout_complete_discovery', { wizard_name: 'X', wizard_id: 'x' }],
  ])('%s of an unknown session, whatever is in its id', async (name, args) => {
    for (const session_id of ['00000000-0000-4000-8000-000000000000', '../../etc/passwd', '__proto__']) {
      const { data } = await call(name, { session_id, ...args });
      expect(data).toMatchObject({ status: 'error', error_type: 'invalid_session', success: false, timestamp: moment });
    }
  });

  test('a wizard of a bad name, or without pages, is refused, and the discovery goes on', async () => {
    const session_id = await start(`${traps.url}/depends`);
    const complete = (wizard_id: string) =>
      call('federalscout_complete_discovery', { session_id, wizard_name: 'X', wizard_id });
    for (const wizard_id of ['../evil', 'A b', 'x/y', '..', '.json'])
      expect((await complete(wizard_id)).data).toMatchObject({ error_type: 'invalid_wizard_id' });
    expect((await complete('empty')).data).toMatchObject({ error_type: 'no_pages_discovered', success: false });
    expect(existsSync(join(env['ASSAY_HOME'] ?? '', 'wizards/empty.json'))).toBe(false);
    expect((await ok('federalscout_get_page_info', { session_id })).page_title).toBe('Trap');
  });

  test('metadata that is not right is refused with every place that is wrong', async () => {
    const session_id = await start(`${traps.url}/depends`);
    const { data } = await call('federalscout_save_page_metadata', {
      session_id,
      page_metadata: {
        page_number: 0,
        page_title: ' ',
        fields: [{ label: 'A', field_id: 'Bad Id', field_type: 'slider' }],
      },
    });
    expect(data).toMatchObject({ error_type: 'invalid_page_metadata', success: false });
    for (const place of [
      'page_number',
      'page_title',
      'fields[0].field_id',
      'fields[0].selector',
      'fields[0].field_type',
    ])
      expect(data.error).toContain(place);
  });
});

test('a discovery that was interrupted is found again by the next one', async () => {
  const url = `${traps.url}/depends?interrupted`;
  const first = await connectStdio('modern', { env });
  try {
    const started = await callOn(first, 'federalscout_start_discovery', { url });
    const { session_id } = started.data;
    const info = await callOn(first, 'federalscout_get_page_info', { session_id });
    const page_metadata = info.data.proposed_page_metadata;
    await callOn(first, 'federalscout_save_page_metadata', { session_id, page_metadata });
  } finally {
    await first[Symbol.asyncDispose]();
  }
  const { data } = await call('federalscout_start_discovery', { url });
  expect(data.unfinished).toEqual([
    { partial_file: expect.stringContaining('/wizards/partial/'), pages_saved: 1, saved_at: moment },
  ]);
  expect(data.message).toContain(data.unfinished[0].partial_file);
});
