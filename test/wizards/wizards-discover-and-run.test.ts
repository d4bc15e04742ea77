import { afterAll, beforeAll, expect, test } from 'vitest';
import { testServer } from '../../src/platform/page/test-support.ts';
import { fixtures } from '../sites/forms/index.ts';
import { type Connection, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { wizardEnvironment } from '../support/wizards/wizards.ts';
import { discoverAs } from '../support/wizards/wizards-agent.ts';

let folder: Folder;
let client: Connection;
beforeAll(async () => {
  folder = await newFolder();
  client = await connectStdio('modern', { args: ['--toolsets', 'wizards'], env: await wizardEnvironment(folder) });
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const ask = async (name: string, args: Record<string, unknown>): Promise<Result> => {
  const answer = await client.callTool({ name, arguments: args });
  if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.structuredContent).slice(0, 600)}`);
  return answer.structuredContent;
};

/** The data of a fixture by the field ids of the discovery. */
function dataFor(fields: readonly { label: string; field_id: string }[], byLabel: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    fields.flatMap(({ label, field_id }) => (byLabel[label] === undefined ? [] : [[field_id, byLabel[label]]])),
  );
}

test('discovers the seven pages of the aid estimator from proposals and runs it for other users', async () => {
  await using site = await fixtures['aid-estimator'].start();
  const { session_id } = await ask('federalscout_start_discovery', { url: `${site.url}/aid-estimator/` });
  await ask('federalscout_click_element', { session_id, selector: 'Start Estimate' });
  const pages = await discoverAs(ask, session_id, 7, {
    'What is the student’s date of birth?': '2007-05-15',
    'What is the student’s marital status?': 'unmarried',
    'What is the student’s state of residence?': 'Illinois',
    'What will the student’s grade level be in 2026–27?': 'freshman',
    'Does the student have children or other dependents that they support?': 'no',
    'Do any of these apply to the student?': 'None of these apply',
    'Are the student’s parents married to each other?': 'yes',
    'What is the parent’s marital status?': 'married',
    'What is the parent’s state of residence?': 'Illinois',
    'How many people are in the student’s family, including the student?': '4',
    'Did the student’s parent file taxes in 2024?': 'yes',
    'Parent’s Adjusted Gross Income': '85000',
    'Parent’s Total Assets': '12000',
    'Annual Child Support Received': '0',
    'Did the student file taxes in 2024?': 'yes',
    'Student’s Adjusted Gross Income': '1000',
    'Student’s Total Assets': '500',
  });
  expect(site.records[0]).toMatchObject({ finished: true, rejected: [] });
  const { validation, wizard_structure } = await ask('federalscout_complete_discovery', {
    session_id,
    wizard_name: 'Aid',
    wizard_id: 'aid',
  });
  expect(validation).toMatchObject({ valid: true, total_pages: 7, warnings: [] });
  expect(wizard_structure.url).toBe(`${site.url}/aid-estimator/`);
  for (const { data, record, results } of fixtures['aid-estimator'].sets(3)) {
    const birth = { year: data['birth_year'], month: data['birth_month'], day: data['birth_day'] };
    const user_data = dataFor(pages.flat(), {
      'What is the student’s date of birth?': birth,
      'What is the student’s marital status?': data['marital_status'],
      'What is the student’s state of residence?': data['state'],
      'What will the student’s grade level be in 2026–27?': data['grade_level'],
      'Does the student have children or other dependents that they support?': data['has_dependents'],
      'The student is on active duty or is a veteran': data['active_duty'],
      'The student’s parents are deceased': data['parents_deceased'],
      'The student was in foster care': data['foster_care'],
      'The student is an emancipated minor': data['emancipated'],
      'The student is homeless or at risk of being homeless': data['homeless'],
      'None of these apply': data['personal_circumstances_none'],
      'Are the student’s parents married to each other?': data['parents_married'],
      'What is the parent’s marital status?': data['parent_marital_status'],
      'What is the parent’s state of residence?': data['parent_state'],
      'How many people are in the student’s family, including the student?': data['family_size'],
      'Did the student’s parent file taxes in 2024?': data['parent_filed_taxes'],
      'Parent’s Adjusted Gross Income': data['parent_income'],
      'Parent’s Total Assets': data['parent_assets'],
      'Annual Child Support Received': data['parent_child_support'],
      'Did the student file taxes in 2024?': data['student_filed_taxes'],
      'Student’s Adjusted Gross Income': data['student_income'],
      'Student’s Total Assets': data['student_assets'],
    });
    const options = { return_screenshots: false, timeout_seconds: 120 };
    const run = await ask('federalrunner_execute_wizard', { wizard_id: 'aid', user_data, options });
    expect(site.records.at(-1)).toMatchObject({ finished: true, rejected: [], data: record });
    expect(run).toMatchObject({ status: 'success', healed: [] });
    expect(Object.values(run.results)).toEqual(Object.values(results).map(String));
  }
});

test('proposes a list with added entries and runs it with any number of entries', async () => {
  await using site = await fixtures['loan-simulator'].start();
  const { session_id } = await ask('federalscout_start_discovery', { url: `${site.url}/loan-simulator/` });
  await ask('federalscout_click_element', { session_id, selector: 'Start From Scratch' });
  const timing = 'Are you borrowing more federal student loans for a current or future program of study?';
  const growth = 'How much do you expect your income to grow by each year?';
  const known = {
    [timing]: 'future',
    'Program Type': 'Associate degree',
    'Program Length': '2 years',
    'Dependency Status': 'dependent',
    'School Location': 'Ohio',
    'How much money does your family make each year?': '$0 - $30,000',
    'How much do you think you will need to pay for school?': '9000',
    'What is your expected yearly salary?': '40000',
    [growth]: '3',
  };
  const pages = await discoverAs(ask, session_id, 5, known);
  await ask('federalscout_click_element', { session_id, selector: 'Add a Loan' });
  const row = [
    { action: 'select', selector: 'Loan Type', value: 'Private Loan' },
    { action: 'fill', selector: 'Interest Rate', value: '5.5' },
    { action: 'fill', selector: 'Principal Balance', value: '10000' },
    { action: 'click', selector: 'Save' },
  ];
  expect(await ask('federalscout_execute_actions', { session_id, actions: row })).toMatchObject({ success: true });
  const [last = []] = await discoverAs(ask, session_id, 1, {});
  expect(last).toMatchObject([
    {
      label: 'Your loans',
      field_type: 'group',
      repeatable: true,
      selector: '#loan_table',
      add_button: { text: 'Add a Loan' },
      save_button: { text: 'Save' },
      sub_fields: [
        { label: 'Loan Type', field_type: 'select' },
        { label: 'Interest Rate' },
        { label: 'Principal Balance' },
      ],
    },
  ]);
  const completed = { session_id, wizard_name: 'Loans', wizard_id: 'loans' };
  const { validation } = await ask('federalscout_complete_discovery', completed);
  expect(validation).toMatchObject({ valid: true, total_pages: 6, warnings: [] });
  const set = fixtures['loan-simulator'].sets(8).find(({ record }) => Object(record['current_loans']).length > 2);
  const { data = {}, record, results = {} } = set ?? {};
  const loans = Array.isArray(data['current_loans']) ? data['current_loans'] : [];
  const user_data = dataFor([...pages.flat(), ...last], {
    [timing]: data['program_timing'],
    'Program Type': data['program_type'],
    'Program Length': data['program_length'],
    'Dependency Status': data['dependency_status'],
    'School Location': data['school_location'],
    'How much money does your family make each year?': data['family_income'],
    'How much do you think you will need to pay for school?': data['borrow_amount'],
    'What is your expected yearly salary?': data['expected_salary'],
    [growth]: data['income_growth_rate'],
    'Your loans': loans.map(({ loan_type, loan_interest_rate, loan_balance }) => ({
      loan_type,
      interest_rate: loan_interest_rate,
      principal_balance: loan_balance,
    })),
  });
  const options = { return_screenshots: false, timeout_seconds: 120 };
  const run = await ask('federalrunner_execute_wizard', { wizard_id: 'loans', user_data, options });
  expect(site.records.at(-1)).toMatchObject({ finished: true, rejected: [], data: record });
  expect(run).toMatchObject({ status: 'success', healed: [] });
  expect(Object.values(run.results)).toEqual(Object.values(results).map(String));
});

test('discovers and runs a form that ends with a confirmation', async () => {
  const received: string[] = [];
  await using site = await testServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1');
    response.setHeader('content-type', 'text/html');
    if (pathname === '/sent') {
      received.push(search);
      return void response.end('<title>Shop</title><h1>Thank you</h1><p>Your order was received.</p>');
    }
    response.end(`<title>Shop</title><h1>Order</h1><form action="/sent"><label for="pieces">Pieces</label>
      <input id="pieces" name="pieces" type="number" required><button>Send order</button></form>`);
  });
  const { session_id } = await ask('federalscout_start_discovery', { url: site.url });
  const [fields = []] = await discoverAs(ask, session_id, 1, { Pieces: '3' });
  const { validation } = await ask('federalscout_complete_discovery', {
    session_id,
    wizard_name: 'Order',
    wizard_id: 'order',
  });
  expect(validation.warnings).toEqual([expect.stringContaining('when the page heading is "Thank you"')]);
  const run = await ask('federalrunner_execute_wizard', {
    wizard_id: 'order',
    user_data: dataFor(fields, { Pieces: 5 }),
  });
  expect(run).toMatchObject({ status: 'success', results: { confirmation: 'Thank you' } });
  expect(received).toEqual(['?pieces=3', '?pieces=5']);
});

test('discovers a form in a frame page by page', async () => {
  await using site = await fixtures['food-benefits'].start();
  const { session_id } = await ask('federalscout_start_discovery', { url: site.url });
  const known = {
    Adults: '2',
    Children: '1',
    'Is everybody in the household a citizen?': 'yes',
    'Income from work': '1200',
    'Other income': '100',
    'Rent or mortgage': '900',
  };
  // The page around the form also asks for a ZIP code, to find an office.
  const frame = 'iframe[id="application-frame"] >> internal:control=enter-frame >> #zip-code';
  const zip = { action: 'fill', selector: frame, value: '05001' };
  expect(await ask('federalscout_execute_actions', { session_id, actions: [zip] })).toMatchObject({ success: true });
  const pages = await discoverAs(ask, session_id, 2, known);
  const completed = { session_id, wizard_name: 'Food', wizard_id: 'food' };
  const { validation } = await ask('federalscout_complete_discovery', completed);
  expect(validation).toMatchObject({ valid: true, total_pages: 2 });
  expect(site.records[0]).toMatchObject({ finished: true, rejected: [] });
  const [set] = fixtures['food-benefits'].sets(1);
  const own = pages.flat().filter(({ selector }) => selector.includes('enter-frame'));
  const user_data = dataFor(own, {
    'ZIP code': set?.data['zip_code'],
    Adults: set?.data['adults'],
    Children: set?.data['children'],
    'Is everybody in the household a citizen?': set?.data['citizen'],
    'Income from work': set?.data['earned_income'],
    'Other income': set?.data['other_income'],
    'Rent or mortgage': set?.data['rent'],
    'We pay for heating or cooling': set?.data['heating_bill'],
  });
  const run = await ask('federalrunner_execute_wizard', { wizard_id: 'food', user_data });
  expect(run).toMatchObject({ status: 'success' });
  expect(site.records.at(-1)?.data).toEqual(set?.record);
});

test('records the names that a script sends and compares them in every run', async () => {
  let years = 'a.value';
  const received: string[] = [];
  await using site = await testServer((request, response) => {
    request.setEncoding('utf8').on('data', (body: string) => received.push(body));
    const form = `<form id="f"><label>Pieces <input id="a" required></label><button>Send</button></form><main id="m"></main>
      <script>f.onsubmit = async (e) => { e.preventDefault();
        const answer = await fetch('/r', { method: 'POST', body: JSON.stringify({ step: 1, amount: ${years} }) });
        m.innerHTML = await answer.text(); };</script>`;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const page = request.url === '/r' ? '<h2>Result</h2><dl><dt>Grant</dt><dd>500</dd></dl>' : form;
    response.end(`<!doctype html><html lang="en"><title>Order</title><h1>Order</h1>${page}`);
  });
  const { session_id } = await ask('federalscout_start_discovery', { url: site.url });
  await discoverAs(ask, session_id, 1, { Pieces: '1200' });
  const done = await ask('federalscout_complete_discovery', { session_id, wizard_name: 'Pieces', wizard_id: 'pieces' });
  expect(done.wizard_structure.pages[0].fields).toMatchObject([{ field_id: 'pieces', sent_as: 'amount' }]);
  const call = {
    name: 'federalrunner_execute_wizard',
    arguments: { wizard_id: 'pieces', user_data: { pieces: '1500' }, options: { return_screenshots: false } },
  };
  expect((await client.callTool(call)).structuredContent).toMatchObject({ status: 'success' });
  expect(received.splice(0).map((body) => JSON.parse(body).amount)).toEqual(['1200', '1500']);
  years = '"1800"';
  expect((await client.callTool(call)).structuredContent).toMatchObject({
    status: 'error',
    technical_details: 'VALUE_CHANGED_BY_PAGE',
    field_id: 'pieces',
  });
  expect(received).toEqual([]);
});

test('does not answer a reversed question, and a check reports it', async () => {
  let question = 'Do you live alone?';
  const received: string[] = [];
  await using site = await testServer((request, response) => {
    if (request.url?.startsWith('/r')) received.push(request.url);
    const form = `<form action="/r"><p>${question}</p><label><input type="radio" name="q" value="yes"> Yes</label>
      <label><input type="radio" name="q" value="no"> No</label><button>Send</button></form>`;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const page = request.url?.startsWith('/r') ? '<h1>Result</h1><dl><dt>Grant</dt><dd>500</dd></dl>' : form;
    response.end(`<!doctype html><html lang="en"><title>Help</title><h1>Help</h1>${page}`);
  });
  const { session_id } = await ask('federalscout_start_discovery', { url: site.url });
  await discoverAs(ask, session_id, 1, { 'Do you live alone?': 'yes' });
  await ask('federalscout_complete_discovery', { session_id, wizard_name: 'Turned', wizard_id: 'turned' });
  const call = {
    name: 'federalrunner_execute_wizard',
    arguments: { wizard_id: 'turned', user_data: { do_you_live_alone: 'no' }, options: { return_screenshots: false } },
  };
  expect((await client.callTool(call)).structuredContent).toMatchObject({ status: 'success' });
  expect(received.splice(0)).toEqual(['/r?q=yes', '/r?q=no']);
  question = 'Do you live with others?';
  expect((await client.callTool(call)).structuredContent).toMatchObject({
    error_type: 'selector_not_found',
    error: expect.stringContaining('"Do you live with others?"'),
  });
  expect(received).toEqual([]);
  const { fields } = await ask('federalscout_check_wizard', { wizard_id: 'turned' });
  expect(fields[0]).toMatchObject({ field_id: 'do_you_live_alone', state: 'missing' });
});
