import { expect, test } from 'vitest';
import { type SiteHandler, serveSite } from '../sites/serve.ts';
import type { Result } from '../support/assay.ts';
import { wizardScout } from '../support/wizards/wizards-discovery.ts';

/** Forms that differ between users: discovered with the data of one user and run with that of another. */

const { ok, call, start } = wizardScout();

interface Action {
  action: string;
  selector: string;
  value?: string;
}

const fill = (selector: string, value: string): Action => ({ action: 'fill', selector, value });
const html = (body: string) => `<!doctype html><html lang="en"><title>Form</title><body>${body}</body></html>`;
const input = (id: string, label: string) =>
  `<p><label for="${id}">${label}</label> <input id="${id}" name="${id}"></p>`;
const form = (inside: string, to = '/done') =>
  `<h1>Aid form</h1><form action="${to}">${inside}<button>Continue</button></form>`;
const done = '<h1>Your estimate</h1><dl><dt>Grant</dt><dd>$500</dd></dl>';

interface Discovered {
  wizard: Result;
  validation: { valid: boolean; warnings: string[] };
  /** The warnings from saving pages. */
  saved: string[];
  run(data: Record<string, unknown>): Promise<Result>;
  requests: string[];
}

let count = 0;

/** Runs the actions of each page, saves it and continues. */
async function discovered(handler: SiteHandler, pages: Action[][], look: (found: Discovered) => Promise<void>) {
  const answer: SiteHandler = async (path, request) => {
    const body = path === '/favicon.ico' ? '' : await handler(path, request);
    return typeof body === 'string' ? html(body) : body;
  };
  await using site = await serveSite(answer);
  const session_id = await start(`${site.url}/`);
  const saved: string[] = [];
  for (const actions of pages) {
    const { failed_actions } = await ok('federalscout_execute_actions', { session_id, actions });
    expect(failed_actions).toEqual([]);
    const { proposed_page_metadata } = await ok('federalscout_get_page_info', { session_id });
    const { warnings } = await ok('federalscout_save_page_metadata', {
      session_id,
      page_metadata: proposed_page_metadata,
    });
    saved.push(...warnings);
    await ok('federalscout_click_element', { session_id, selector: 'Continue' });
  }
  const wizard_id = `again-${++count}`;
  const { wizard_structure: wizard, validation } = await ok('federalscout_complete_discovery', {
    session_id,
    wizard_name: 'Again',
    wizard_id,
  });
  const run = async (user_data: Record<string, unknown>) =>
    (await call('federalrunner_execute_wizard', { wizard_id, user_data, options: { return_screenshots: false } })).data;
  await look({ wizard, validation, saved, run, requests: site.requests });
}

const sentIn = (path: string) => new URL(path, 'http://127.0.0.1').searchParams;

test('discovers results at a generated address with a sentence that sounds like a failure', async () => {
  let number = 1001;
  const site: SiteHandler = (path) => {
    if (path.startsWith('/done')) return { status: 303, headers: { location: `/applications/${++number}/result` } };
    return path.startsWith('/applications')
      ? `${done}<p>If there is a problem with your claim, we will call you.</p><p>Dear Quimby, we wish you well.</p><p>An error occurred to us in 1990.</p>`
      : form(input('n', 'Full name'));
  };
  await discovered(site, [[fill('Full name', 'Quimby')]], async ({ wizard, run, validation }) => {
    expect(wizard.results_page.url_pattern).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/applications\/\*\/result$/);
    expect(wizard.results_page.said).toEqual([
      'An error occurred to us in 1990.',
      'If there is a problem with your claim, we will call you.',
    ]);
    expect(validation.warnings).toContainEqual(expect.stringContaining('remove it from results_page.said'));
    expect(JSON.stringify(wizard)).not.toContain('Quimby');
    expect(await run({ full_name: 'Roe' })).toMatchObject({ status: 'success', results: { grant: '500' } });
  });
});

test('discovers a confirmation with a number in its heading', async () => {
  let number = 1001;
  const site: SiteHandler = (path) =>
    path.startsWith('/done') ? `<h1>Claim ${++number} received</h1>` : form(input('age', 'Age'));
  await discovered(site, [[fill('#age', '67')]], async ({ wizard, run }) => {
    expect(wizard.results_page.heading).toBe('Claim * received');
    expect(await run({ age: '62' })).toMatchObject({
      status: 'success',
      results: { confirmation: 'Claim 1003 received' },
    });
  });
});

test('discovers results in lists, tables, cards and sentences', async () => {
  const results = (age: number) => `<h1>Your estimate</h1>
    <h2>You</h2><dl><dt>Benefit at age ${age}</dt><dd>$${age}</dd><dt>Monthly benefit</dt><dd>$100</dd></dl>
    <h2>Your spouse</h2><dl><dt>Monthly benefit</dt><dd>$50</dd></dl>
    <h2>Offers</h2><div><h3>Pell Grant</h3><p>$5,${age}0</p></div><div><span>7 years</span><span>Term</span></div>
    <table><tr><th>Kind</th><th>Monthly</th><th>Yearly</th></tr><tr><th>Pension</th><td>$9</td><td>$108</td></tr></table>
    <p>You may get <strong>$${age}.50</strong> a week from us.</p>`;
  const site: SiteHandler = (path) =>
    path.startsWith('/done') ? results(Number(sentIn(path).get('age'))) : form(input('age', 'Age'));
  await discovered(site, [[fill('#age', '67')]], async ({ wizard, run }) => {
    expect(wizard.results.benefit_at_age).toEqual({ label: 'Benefit at age *', type: 'money' });
    expect((await run({ age: '62' })).results).toEqual({
      benefit_at_age: '62',
      you_monthly_benefit: '100',
      your_spouse_monthly_benefit: '50',
      pell_grant: '5620',
      term: '7',
      pension_monthly: '9',
      pension_yearly: '108',
      you_may_get_a_week_from_us: '62.50',
    });
  });
});

test('warns about two values with one label and no distinct headings', async () => {
  const twice = '<h1>Yours</h1><dl><dt>Rate</dt><dd>1</dd><dt>Rate</dt><dd>2</dd><dt>Grant</dt><dd>$5</dd></dl>';
  const site: SiteHandler = (path) => (path.startsWith('/done') ? twice : form(input('age', 'Age')));
  await discovered(site, [[fill('#age', '67')]], async ({ wizard, validation }) => {
    expect(Object.keys(wizard.results)).toEqual(['grant']);
    expect(validation.warnings).toContainEqual(expect.stringContaining('"Rate" 2 times with different values'));
  });
});

test('warns if the discovery ends on the form with an error', async () => {
  const site: SiteHandler = (path) =>
    form(`${path.startsWith('/done') ? '<div role="alert">Age must be under 100</div>' : ''}${input('age', 'Age')}`);
  await discovered(site, [[fill('#age', '141')]], async ({ wizard, validation }) => {
    expect(wizard).not.toHaveProperty('results_page');
    expect(wizard).not.toHaveProperty('results');
    expect(validation.warnings).toContainEqual(expect.stringContaining('shows an error: "Age must be under 100"'));
  });
});

test('closes an overlay again if it is present', async () => {
  let asks = true;
  const consent = `<div id="ck" style="position:fixed;inset:0;background:#000a"><div role="dialog" aria-modal="true" aria-label="Cookies">
    <button onclick="ck.style.opacity = 0; ck.style.pointerEvents = 'none'">Accept all</button></div></div>
    <style>#ck { transition: opacity 100ms }</style>`;
  const site: SiteHandler = (path) =>
    path.startsWith('/done') ? done : form(input('age', 'Age')) + (asks ? consent : '');
  const first = [{ action: 'click', selector: 'Accept all' }, fill('#age', '40')];
  await discovered(site, [first], async ({ wizard, run }) => {
    expect(wizard.start_action).toMatchObject({ description: 'Click "Accept all"', optional: true });
    expect(await run({ age: '41' })).toMatchObject({ status: 'success' });
    asks = false;
    expect(await run({ age: '41' })).toMatchObject({ status: 'success' });
  });
});

test('saves consecutive questions at one address as separate pages', async () => {
  const script = `<div id="app"></div><script>
    const names = ['Age', 'County']; const sent = new URLSearchParams();
    function draw(i) {
      app.innerHTML = '<h1>Apply</h1><form><label for="a">' + names[i] + '</label><input id="a" name="a"><button>Continue</button></form>';
      app.querySelector('form').onsubmit = (event) => {
        event.preventDefault(); sent.set(names[i], a.value);
        if (i < 1) draw(i + 1); else location.href = '/done?' + sent;
      };
    } draw(0)</script>`;
  const site: SiteHandler = (path) => (path.startsWith('/done') ? done : script);
  await discovered(site, [[fill('Age', '40')], [fill('County', 'Cook')]], async ({ wizard, saved, run, requests }) => {
    expect(saved).toEqual([]);
    expect(wizard.pages).toHaveLength(2);
    expect(await run({ age: '41', county: 'Kane' })).toMatchObject({ status: 'success' });
    expect(requests.at(-1)).toBe('GET /done?Age=41&County=Kane');
  });
});

test('warns about a page that replaces another with other questions', async () => {
  await using site = await serveSite((path) => html(form(path === '/' ? input('age', 'Age') : input('c', 'County'))));
  const session_id = await start(`${site.url}/`);
  const first = (await ok('federalscout_get_page_info', { session_id })).proposed_page_metadata;
  await ok('federalscout_save_page_metadata', { session_id, page_metadata: first });
  await ok('federalscout_click_element', { session_id, selector: 'Continue' });
  const second = (await ok('federalscout_get_page_info', { session_id })).proposed_page_metadata;
  const page_metadata = { ...second, page_number: 1 };
  expect((await ok('federalscout_save_page_metadata', { session_id, page_metadata })).warnings).toEqual([
    expect.stringContaining('Page 1 has replaced another page, which asked for "Age"'),
  ]);
});

test('proposes a select behind a custom box, and warns about a required upload', async () => {
  const list = `<p><label for="st">Region</label><select id="st" name="st" style="position:absolute;opacity:0;width:1px;height:1px">
    <option value="">-</option><option value="n">North</option><option value="s">South</option></select><span>Choose</span></p>`;
  let upload = '';
  const site: SiteHandler = (path) => (path.startsWith('/done') ? done : form(list + upload));
  const actions = [{ action: 'select', selector: '#st', value: 'North' }];
  await discovered(site, [actions], async ({ run, requests }) => {
    expect(await run({ region: 'South' })).toMatchObject({ status: 'success' });
    expect(requests).toContain('GET /done?st=s');
  });
  upload = '<p><label for="up">Proof of income</label><input type="file" id="up" required></p>';
  await discovered(site, [actions], async ({ saved, validation }) => {
    expect(saved).toEqual([expect.stringContaining('asks for the file "Proof of income"')]);
    expect(validation.valid).toBe(false);
  });
});

test('masks a name in a question for the next user', async () => {
  const question = (name: string, n: number) =>
    `<fieldset><legend>Was ${name} born in 19${n}0?</legend><label><input type="radio" name="q${n}" value="yes"> Yes</label>
    <label><input type="radio" name="q${n}" value="no"> No</label></fieldset>`;
  const site: SiteHandler = (path) => {
    if (path.startsWith('/done')) return done;
    const name = sentIn(path).get('n');
    if (!name) return form(input('n', 'First name of the child'), '/about');
    const [first = ''] = name.split(' ');
    return `<h1>About ${first}</h1><form action="/done">${question(first, 8)}${question(first, 9)}<button>Continue</button></form>`;
  };
  const second = [{ action: 'select', selector: 'Was … born in 1980?', value: 'yes' }];
  await discovered(site, [[fill('#n', 'Zebedee Roe')], second], async ({ wizard, run, requests }) => {
    expect(wizard.pages[1]).toMatchObject({
      page_title: 'About …',
      fields: [{ field_id: 'was_born_in_1980', label: 'Was … born in 1980?' }, { field_id: 'was_born_in_1990' }],
    });
    expect(JSON.stringify(wizard)).not.toMatch(/Zebedee|Roe/);
    const data = { first_name_of_the_child: 'Maria', was_born_in_1980: 'no', was_born_in_1990: 'yes' };
    expect(await run(data)).toMatchObject({ status: 'success' });
    expect(requests).toContain('GET /done?q8=no&q9=yes');
  });
});

test('leaves questions with untried answers to the page', async () => {
  const options = ['', 'Single', 'Married', 'Separated', 'Widowed'].map((one) => `<option>${one}</option>`).join('');
  const page = `${form(`<p><label for="ms">Status</label><select id="ms" name="ms">${options}</select></p>
    <div id="more" hidden>${input('sp', 'Partner works hours')}</div>`)}
    <script>ms.onchange = () => { more.hidden = !/Married|Separated/.test(ms.value); }</script>`;
  const site: SiteHandler = (path) => (path.startsWith('/done') ? done : page);
  const select = (value: string) => ({ action: 'select', selector: '#ms', value });
  const actions = [select('Single'), select('Married'), fill('#sp', '20')];
  await discovered(site, [actions], async ({ wizard, run, requests }) => {
    const condition = { field: 'status', equals: 'Married', hidden_with: ['Single'] };
    expect(wizard.pages[0].fields[1].visible_when).toEqual(condition);
    expect(await run({ status: 'Separated', partner_works_hours: '30' })).toMatchObject({ status: 'success' });
    expect(requests).toContain('GET /done?ms=Separated&sp=30');
    const sent = requests.filter((each) => each.includes('/done')).length;
    expect(await run({ status: 'Widowed', partner_works_hours: '30' })).toMatchObject({
      error_type: 'selector_not_found',
      technical_details: 'NOT_ASKED',
    });
    expect(requests.filter((each) => each.includes('/done'))).toHaveLength(sent);
    const { status, warnings } = await run({ status: 'Single', partner_works_hours: '30' });
    expect([status, warnings]).toEqual(['success', [expect.stringContaining('is left out')]]);
  });
});
