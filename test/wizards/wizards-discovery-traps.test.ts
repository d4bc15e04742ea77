import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveSite } from '../sites/serve.ts';
import { runAssay } from '../support/assay.ts';
import { isSmallJpeg } from '../support/server/pictures.ts';
import { moment, wizardScout } from '../support/wizards/wizards-discovery.ts';

const { call, ok, start, picture, env, trap } = wizardScout();

describe('a failed click', () => {
  test('on a missing element suggests an existing selector', async () => {
    const session_id = await start(trap('twins'));
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
    expect(images).toEqual([await picture(data.screenshot)]);
    expect(JSON.parse(text)).toMatchObject({ screenshot: data.screenshot });
  });

  test('on an ambiguous selector reports the number of matches', async () => {
    const session_id = await start(trap('twins'));
    const { data } = await call('federalscout_click_element', { session_id, selector: 'Next' });
    expect(data).toMatchObject({ error_type: 'not_clickable', error: expect.stringContaining('2 elements') });
    expect((await ok('federalscout_click_element', { session_id, selector: '#other' })).success).toBe(true);
  });

  test('on a covered element names the cover', async () => {
    const session_id = await start(trap('covered'));
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
  ])('clicks by %s: %s', async (selector_type, selector) => {
    const session_id = await start(trap('twins'));
    const data = await ok('federalscout_click_element', { session_id, selector, selector_type });
    expect(data.message).toContain('"Something else"');
  });

  test('waits for a button that is enabled later', async () => {
    await using site = await serveSite((path) =>
      path === '/'
        ? `<!DOCTYPE html><title>Form</title><h1>Form</h1><form action="/next"><label>Age <input id="age" name="age"></label>
          <button id="go" disabled>Send</button></form>
          <script>age.oninput = () => setTimeout(() => { go.disabled = false; }, 2_000);</script>`
        : '<!DOCTYPE html><title>Next</title><h1>Next</h1>',
    );
    const session_id = await start(`${site.url}/`);
    const actions = [{ action: 'fill', selector: '#age', value: '40' }];
    await ok('federalscout_execute_actions', { session_id, actions });
    const data = await ok('federalscout_click_element', { session_id, selector: '#go' });
    expect(data.current_url).toContain('/next');
  });
});

describe('browser events', () => {
  test('follows a page that navigates by itself', async () => {
    const session_id = await start(trap('leaves'));
    const data = await ok('federalscout_click_element', { session_id, selector: 'Go' });
    await expect
      .poll(async () => (await ok('federalscout_get_page_info', { session_id })).current_url)
      .toBe(trap('arrived'));
    expect(data.success).toBe(true);
  });

  test('dismisses dialogs, drops downloads, follows tabs, and reports them', async () => {
    const session_id = await start(trap('beside'));
    const click = (selector: string) => ok('federalscout_click_element', { session_id, selector });
    expect((await click('#dialog')).message).toContain('"Are you sure?"');
    expect((await click('#download')).message).toContain('"file.csv"');
    await click('#tab');
    await expect
      .poll(async () => (await ok('federalscout_get_page_info', { session_id })).current_url)
      .toBe(trap('arrived'));
  });
});

describe('unusual pages', () => {
  test('proposes 500 fields in parts, and saves them without repeating them', async () => {
    const session_id = await start(trap('many'));
    const { data } = await call('federalscout_get_page_info', { session_id });
    expect(data.shortened.lists['proposed_page_metadata.fields']).toMatch(/^1-\d+ of 500$/);
    const { proposed_page_metadata: page } = await ok('federalscout_get_page_info', { session_id });
    expect(page.fields).toHaveLength(500);
    const continue_button = { text: 'None', selector: '#f0' };
    const saved = await call('federalscout_save_page_metadata', { session_id, page_metadata: { continue_button } });
    expect(saved.data.message).toContain('with 500 fields');
    expect(saved.data.warnings).toEqual([]);
  });

  test('completes a proposal that a reply has cut, with the changes of the caller', async () => {
    const session_id = await start(trap('household'));
    const { data } = await call('federalscout_get_page_info', { session_id });
    const { fields, ...page } = data.proposed_page_metadata;
    const [county, first, second, ...shown] = fields;
    expect(county.options.length).toBeLessThan(60);
    expect(first.label).toContain('…');
    const page_metadata = { ...page, fields: [county, { ...first, example_value: '42' }, ...shown] };
    const saved = await call('federalscout_save_page_metadata', { session_id, page_metadata });
    const added = 40 - shown.length - 2;
    expect(saved.data.message).toContain(`with 40 fields was saved. ${added} of them are from the proposal`);
    expect(saved.data.warnings).toEqual([]);
    const done = { session_id, wizard_name: 'Household', wizard_id: 'household' };
    const { saved_to } = await ok('federalscout_complete_discovery', done);
    const [written] = JSON.parse(await readFile(saved_to, 'utf8')).pages;
    expect(written.fields.map(({ selector }: { selector: string }) => selector)).toEqual(
      ['#county', ...Array.from({ length: 40 }, (_, n) => `#p${n}`)].filter((selector) => selector !== second.selector),
    );
    expect(written.fields[0].options).toHaveLength(60);
    expect(written.fields[1]).toMatchObject({ example_value: '42' });
    for (const field of written.fields.slice(1)) expect(field.label).not.toContain('…');
  });

  test('keeps a response with a hundred errors short and says how to get the rest', async () => {
    const session_id = await start(trap('mistakes'));
    const actions = [{ action: 'click', selector: '#missing' }];
    const { data, text } = await call('federalscout_execute_actions', { session_id, actions });
    expect(Buffer.byteLength(text)).toBeLessThan(6_000);
    expect(data.failed_actions).toMatchObject([{ index: 1, error: expect.stringContaining('#missing') }]);
    expect(data.errors[0].message).toMatch(/^Enter a valid number for question 0\./);
    expect(data.shortened.lists.errors).toMatch(/^1-\d+ of 100$/);
    expect(data.shortened.next).toContain('federalscout_get_page_info');
    expect((await ok('federalscout_get_page_info', { session_id })).errors).toHaveLength(100);
  });

  test('saves all of 5,000 options', async () => {
    const session_id = await start(trap('options'));
    const { data, text } = await call('federalscout_get_page_info', { session_id });
    expect(Buffer.byteLength(text)).toBeLessThan(6_000);
    expect(data.proposed_page_metadata.fields[0].options.length).toBeLessThan(5_000);
    await ok('federalscout_save_page_metadata', { session_id, page_metadata: {} });
    const { failed_actions } = await ok('federalscout_execute_actions', {
      session_id,
      actions: [{ action: 'select', selector: '#town', value: 'Town 4321' }],
    });
    expect(failed_actions).toEqual([]);
    const done = { session_id, wizard_name: 'Options', wizard_id: 'options' };
    const { saved_to } = await ok('federalscout_complete_discovery', done);
    const wizard = JSON.parse(await readFile(saved_to, 'utf8'));
    expect(wizard.pages[0].fields[0].options).toHaveLength(5_000);
  });

  test('handles right-to-left labels, emoji, quotes and newlines, and never returns passwords', async () => {
    const session_id = await start(trap('odd'));
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

test('proposes a valid example and replaces it with the typed value', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Visit</title><h1>Visit</h1><form>
      <label>Day of the visit <input type="date" id="day" min="2031-01-01" max="2031-12-31"></label>
      <label>At what time? <input type="time" id="at"></label>
      <label>Code <input id="code" pattern="[A-Z]{2}[0-9]+" minlength="3"></label>
      <label>Hours <input type="number" id="hours" min="1" step="0.5"></label>
      <label>Motto <input id="motto" pattern="(a+)+" minlength="10"></label>
      <label>Town <select id="town"><option>Ames<option>Boone</select></label>
      <label>Languages <select multiple id="languages"><option>English<option>Spanish</select></label>
      <fieldset><legend>By car?</legend><label><input type="radio" name="c" value="1"> Yes</label>
        <label><input type="radio" name="c" value="2"> No</label></fieldset><button>Continue</button></form>`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  try {
    const session_id = await start(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
    const examples = (page: { fields: { example_value: unknown }[] }) => page.fields.map((one) => one.example_value);
    const { proposed_page_metadata: page, elements, remarks } = await ok('federalscout_get_page_info', { session_id });
    expect(elements.selects[0].label).toBe('Town');
    expect(examples(page).slice(0, 5)).toEqual(['2031-01-01', '09:30', 'Example', '1', 'ExampleExa']);
    expect(page.fields.slice(2, 5)).toMatchObject([
      { pattern: '[A-Z]{2}[0-9]+', min_length: 3 },
      { min: 1, step: 0.5 },
      { min_length: 10 },
    ]);
    // A slow pattern is not saved, neither from the site nor from the agent.
    expect(page.fields[4]).not.toHaveProperty('pattern');
    expect(remarks).toContain('The pattern of "Motto" is left out: matching it can take forever.');
    const bad = { ...page, fields: [{ ...page.fields[4], pattern: '(b+)+' }] };
    const refused = await call('federalscout_save_page_metadata', { session_id, page_metadata: bad });
    expect(refused.data).toMatchObject({
      error_type: 'invalid_page_metadata',
      error: expect.stringContaining('fields[0].pattern: "(b+)+" of motto can take forever'),
    });
    const fields = page.fields.map((one: { field_id: string }) =>
      one.field_id === 'town' ? { ...one, example_value: 'Ames', notes: 'said by somebody' } : one,
    );
    await ok('federalscout_save_page_metadata', { session_id, page_metadata: { ...page, fields } });
    await ok('federalscout_execute_actions', {
      session_id,
      actions: [
        { action: 'fill', selector: '#day', value: '2031-06-02' },
        { action: 'fill', selector: '#code', value: 'AB12' },
        { action: 'check', selector: 'No' },
      ],
    });
    const again = await ok('federalscout_get_page_info', { session_id });
    const filledIn = ['2031-06-02', '09:30', 'AB12', '1', 'ExampleExa', 'Ames', 'English', 'no'];
    expect(examples(again.proposed_page_metadata)).toEqual(filledIn);
    const done = await ok('federalscout_complete_discovery', { session_id, wizard_name: 'Visit', wizard_id: 'visit' });
    expect(examples(done.wizard_structure.pages[0])).toEqual(filledIn);
    expect(done.wizard_structure.pages[0].fields[6]).toMatchObject({ field_id: 'languages', multiple: true });
    expect(done.validation.valid).toBe(true);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.each(['link', 'inline'])(
  'ends the session with the shell command and writes pictures to files (%s)',
  async (mode) => {
    const shell = { env: { ...env(), ASSAY_SCREENSHOTS: mode } };
    const started = await runAssay(['call', 'federalscout_start_discovery', '--url', trap('twins')], shell);
    const { session_id, screenshot } = JSON.parse(started.stdout);
    expect(started.stderr).toContain(`The session ${session_id} ended with this command.`);
    expect(started.stderr).toContain(`: ${screenshot}\n`);
    expect(isSmallJpeg(await readFile(screenshot))).toBe(true);
    const blocked = await runAssay(['call', 'federalscout_start_discovery', '--url', trap('blocked')], shell);
    expect(blocked.code).toBe(1);
    const [, path = ''] = /^Screenshot \(image\/jpeg, \d+ bytes\): (\S+)$/m.exec(blocked.stderr) ?? [];
    expect(blocked.stderr).toContain(`"screenshot": "${path}"`);
    expect(isSmallJpeg(await readFile(path))).toBe(true);
    for (const each of [screenshot, path]) await rm(dirname(each), { recursive: true });
  },
);

describe('an impossible discovery', () => {
  async function closedPort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    await new Promise((resolve) => server.close(resolve));
    return typeof address === 'object' && address ? address.port : 1;
  }

  test.each([['not a url'], ['ftp://example.org/'], ['javascript:alert(1)'], ['file:///etc/passwd']])(
    'rejects %s as an address',
    async (url) => {
      const { data, isError } = await call('federalscout_start_discovery', { url });
      expect(isError).toBe(true);
      expect(data).toMatchObject({ status: 'error', error_type: 'invalid_url', screenshot: null, timestamp: moment });
    },
  );

  test('reports a site that is down, missing or blocked, and a file address', async () => {
    const down = await call('federalscout_start_discovery', { url: `http://127.0.0.1:${await closedPort()}/` });
    expect(down.data).toMatchObject({
      error_type: 'navigation_failed',
      error: expect.stringContaining('the connection was refused'),
      screenshot: null,
    });
    const missing = await call('federalscout_start_discovery', { url: trap('nothing') });
    expect(missing.data).toMatchObject({ error_type: 'navigation_failed', error: expect.stringContaining('404') });
    const blocked = await call('federalscout_start_discovery', { url: trap('blocked') });
    expect(blocked.data).toMatchObject({
      error_type: 'navigation_failed',
      error: expect.stringContaining('wall against robots (Cloudflare)'),
      technical_details: 'SITE_BLOCKED',
    });
    expect(isSmallJpeg(await picture(blocked.data.screenshot))).toBe(true);
    const unsafe = await call('federalscout_start_discovery', { url: 'http://127.0.0.1:6666/' });
    expect(unsafe.data).toMatchObject({
      error_type: 'navigation_failed',
      error: '"http://127.0.0.1:6666/" cannot be opened: it leads to an address that browsers do not open.',
      corrective_action: expect.any(String),
    });
    for (const { text } of [down, missing, blocked, unsafe]) expect(text).not.toMatch(/page\.goto|net::|ERR_/);
    const file = await call('federalscout_start_discovery', { url: trap('file.csv') });
    expect(file.data).toMatchObject({ error_type: 'navigation_failed' });
    expect(await start(trap('twins'))).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['federalscout_click_element', { selector: '#x' }],
    ['federalscout_get_page_info', {}],
    ['federalscout_execute_actions', { actions: [{ action: 'click', selector: '#x' }] }],
    ['federalscout_save_page_metadata', { page_metadata: {} }],
    ['federalscout_complete_discovery', { wizard_name: 'X', wizard_id: 'x' }],
  ])('rejects %s with an unknown session id', async (name, args) => {
    for (const session_id of ['00000000-0000-4000-8000-000000000000', '../../etc/passwd', '__proto__']) {
      const { data } = await call(name, { session_id, ...args });
      expect(data).toMatchObject({ status: 'error', error_type: 'invalid_session', success: false, timestamp: moment });
    }
  });

  test('rejects an invalid wizard id and a wizard without pages, and keeps the discovery', async () => {
    const session_id = await start(trap('depends'));
    const complete = (wizard_id: string) =>
      call('federalscout_complete_discovery', { session_id, wizard_name: 'X', wizard_id });
    for (const wizard_id of ['../evil', 'A b', 'x/y', '..', '.json', 'form-schema'])
      expect((await complete(wizard_id)).data).toMatchObject({ error_type: 'invalid_wizard_id', success: false });
    expect((await complete('empty')).data).toMatchObject({ error_type: 'no_pages_discovered', success: false });
    expect(existsSync(join(env()['ASSAY_HOME'] ?? '', 'wizards/empty.json'))).toBe(false);
    expect((await ok('federalscout_get_page_info', { session_id })).page_title).toBe('Trap');
  });

  test('rejects invalid metadata with the path of each problem', async () => {
    const session_id = await start(trap('depends'));
    const { data } = await call('federalscout_save_page_metadata', {
      session_id,
      page_metadata: {
        page_number: 0,
        page_title: ' ',
        fields: [{ label: 'A', field_id: 'Bad Id', field_type: 'slider' }],
      },
    });
    expect(data).toMatchObject({ error_type: 'invalid_page_metadata', success: false });
    for (const location of [
      'page_number',
      'page_title',
      'fields[0].field_id',
      'fields[0].selector',
      'fields[0].field_type',
    ])
      expect(data.error).toContain(location);
  });
});
