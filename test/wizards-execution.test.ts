import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FixtureName, fixtures } from './sites/forms/index.ts';
import type { FormSite, SiteWishes } from './sites/forms/server.ts';
import { serveSite } from './sites/serve.ts';
import { type Connection, connectHttp, connectStdio, startHttp } from './support/assay.ts';
import { type Folder, newFolder } from './support/folders.ts';
import { startProvider } from './support/provider.ts';
import { allIn, putWizard, wizardEnvironment } from './support/wizards.ts';

let folder: Folder;
let home: string;
let client: Connection;
beforeAll(async () => {
  folder = await newFolder();
  const env = await wizardEnvironment(folder);
  home = env['ASSAY_HOME'] ?? '';
  client = await connectStdio('modern', { args: ['--toolsets', 'wizards'], env });
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

let wizards = 0;
/** A fixture site, and a wizard for it under an id of its own. */
async function prepared(name: FixtureName, wishes: SiteWishes = {}): Promise<FormSite & { id: string }> {
  const site = await fixtures[name].start(wishes);
  const id = `${name}-${++wizards}`;
  await putWizard(home, name, site.url, id);
  return Object.assign(site, { id });
}

const dataOf = (name: FixtureName) => fixtures[name].sets(1)[0]?.data ?? {};

async function call(name: string, args: Record<string, unknown>, options: object = {}) {
  const answer = await client.callTool({ name, arguments: args }, { timeout: 60_000, ...options });
  const blocks = Array.isArray(answer.content) ? answer.content : [];
  return {
    isError: answer.isError === true,
    data: JSON.parse(JSON.stringify(answer.structuredContent ?? {})),
    text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    pictures: blocks.flatMap((block) => (block.type === 'image' ? [block] : [])),
  };
}

const execute = (wizard_id: string, user_data: object, options: object = {}) =>
  call('federalrunner_execute_wizard', { wizard_id, user_data, options });

const isJpeg = (image: unknown) => {
  const bytes = Buffer.from(String(image), 'base64');
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes.length > 1000 && bytes.length <= 110_000;
};
const stamp = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

describe('what there is', () => {
  test('is listed with broken files beside it, and described page by page', async () => {
    await using site = await prepared('aid-estimator');
    await folder.write('home/wizards/broken.json', '{');
    await putWizard(home, 'benefit-calculator', site.url, 'odd-contract');
    await folder.write('home/wizards/odd-contract.schema.json', '{"type": "objekt"}');
    const { data: list } = await call('federalrunner_list_wizards', {});
    expect(list).toMatchObject({
      status: 'success',
      timestamp: expect.stringMatching(stamp),
      broken: [
        { file: 'broken.json', problem: expect.stringContaining('not JSON') },
        { file: 'odd-contract.json', problem: expect.stringContaining('schema of the wizard is broken') },
      ],
    });
    expect(list.count).toBe(list.wizards.length);
    expect(list.wizards).toContainEqual({
      wizard_id: `${site.id}.json`,
      name: 'Student Aid Estimator',
      url: `${site.url}/aid-estimator/`,
      total_pages: 7,
      discovered_at: '2026-11-15T12:00:00Z',
      description: expect.any(String),
    });
    for (const wizard_id of [site.id, `${site.id}.json`]) {
      const { data: info } = await call('federalrunner_get_wizard_info', { wizard_id });
      expect(info).toMatchObject({ wizard_id: `${site.id}.json`, status: 'success', total_pages: 7 });
      expect(info.pages_summary[4]).toEqual({
        page_number: 5,
        page_title: 'Family Size',
        field_count: 1,
        required_fields: ['How many people are in the student’s family, including the student?'],
      });
      expect(info.required_user_data.marital_status).toMatchObject({
        description: 'What is the student’s marital status?',
        type: 'string',
        example: 'unmarried',
        allowed_values: ['unmarried', 'married', 'separated'],
      });
    }
  });

  test('is refused by any id that is a path, and unknown ones get a hint', async () => {
    const { isError, data } = await call('federalrunner_get_wizard_info', { wizard_id: '../../etc/passwd' });
    expect(isError).toBe(true);
    expect(data).toMatchObject({
      status: 'error',
      error_type: 'invalid_wizard_id',
      corrective_action: expect.any(String),
      screenshot: null,
      technical_details: expect.any(String),
      timestamp: expect.stringMatching(stamp),
    });
    const unknown = await execute('no-such-wizard', {});
    expect(unknown.data).toMatchObject({ status: 'error', error_type: 'wizard_not_found' });
  });

  test('takes data that is validated without a visit', async () => {
    await using site = await prepared('aid-estimator');
    const { data } = await call('federalrunner_validate_user_data', {
      wizard_id: site.id,
      user_data: { ...dataOf('aid-estimator'), family_size: 'four', state: 'IL', marital_status: 'engaged' },
    });
    expect(data).toMatchObject({ status: 'success', valid: false, missing_fields: [] });
    expect(data.invalid_fields).toMatchObject([{ field_id: 'marital_status', provided_value: 'engaged' }]);
    expect(data.warnings).toContainEqual({ field_id: 'family_size', message: 'read as 4', severity: 'low' });
    expect(data.warnings).toContainEqual({ field_id: 'state', message: 'read as Illinois', severity: 'low' });
    expect(site.requests).toEqual([]);
  });
});

describe('an execution', () => {
  test('leaves the right record at the site, and brings the results and a picture of every page', async () => {
    await using site = await prepared('aid-estimator');
    const [set] = fixtures['aid-estimator'].sets(1);
    const steps: string[] = [];
    const answer = await call(
      'federalrunner_execute_wizard',
      { wizard_id: `${site.id}.json`, user_data: set?.data ?? {} },
      { onprogress: ({ message }: { message?: string }) => void steps.push(message ?? '') },
    );
    expect(answer.isError, answer.text).toBe(false);
    expect(site.records).toMatchObject([{ finished: true, data: set?.record, rejected: [] }]);
    const { data } = answer;
    expect(data).toMatchObject({
      status: 'success',
      wizard_id: `${site.id}.json`,
      pages_completed: 7,
      healed: [],
      timestamp: expect.stringMatching(stamp),
    });
    expect(Number.isInteger(data.execution_time_ms)).toBe(true);
    expect(data.results).toEqual(
      Object.fromEntries(Object.entries(set?.results ?? {}).map(([name, value]) => [name, String(value)])),
    );
    expect(data.screenshots.map(({ page }: { page: unknown }) => page)).toEqual([1, 2, 3, 4, 5, 6, 7, 'results']);
    expect(data.screenshots[0].title).toBe('Student Information');
    for (const { image } of data.screenshots) expect(isJpeg(image)).toBe(true);
    expect(answer.pictures).toHaveLength(8);
    expect(answer.text).not.toContain(data.screenshots[0].image.slice(0, 60));
    expect(steps.filter((step) => step.startsWith('page ')).length).toBeGreaterThan(0);
  });

  test('sends no pictures when none are wanted, and poorer ones when asked', async () => {
    await using site = await prepared('benefit-calculator');
    const user_data = dataOf('benefit-calculator');
    const none = await execute(site.id, user_data, { return_screenshots: false });
    expect(none.data).toMatchObject({ status: 'success', screenshots: [] });
    expect(none.pictures).toEqual([]);
    const [poor, good] = [
      await execute(site.id, user_data, { screenshot_quality: 1 }),
      await execute(site.id, user_data),
    ];
    expect(poor.data.screenshots[0].image.length).toBeLessThan(good.data.screenshots[0].image.length);
  });

  test.each(['loan-simulator', 'heating-help', 'food-benefits'] as const)(
    'of %s leaves the right record too',
    async (name) => {
      await using site = await prepared(name);
      const [set] = fixtures[name].sets(1);
      const { data, text } = await execute(site.id, set?.data ?? {}, { return_screenshots: false });
      expect(data.status, text).toBe('success');
      expect(site.records).toMatchObject([{ finished: true, data: set?.record }]);
    },
  );

  test('does not begin with data missing or invalid, and names all of it', async () => {
    await using site = await prepared('aid-estimator');
    const { birth_year: _, parents_married: __, ...rest } = dataOf('aid-estimator');
    const missing = await execute(site.id, rest);
    expect(missing.isError).toBe(true);
    expect(missing.data).toMatchObject({
      status: 'missing_data',
      wizard_id: `${site.id}.json`,
      message: expect.any(String),
      missing_fields: [
        { label: 'Date of birth - Year', field_id: 'birth_year', example: '2007', required: true },
        { field_id: 'parents_married' },
      ],
      timestamp: expect.stringMatching(stamp),
    });
    const invalid = await execute(site.id, { ...dataOf('aid-estimator'), family_size: 'abc' });
    expect(invalid.data).toMatchObject({
      status: 'validation_error',
      page_number: 5,
      validation_errors: [{ message: 'is not a number', provided_value: 'abc' }],
      screenshot: null,
    });
    expect(site.requests).toEqual([]);
  });

  test('that the site refuses is a validation error, in the site’s own words', async () => {
    await using site = await prepared('aid-estimator');
    const user_data = { ...dataOf('aid-estimator'), parents_married: 'yes', family_size: '2' };
    const { data, pictures, isError } = await execute(site.id, user_data);
    expect(isError).toBe(true);
    expect(data).toMatchObject({
      status: 'validation_error',
      wizard_id: `${site.id}.json`,
      error: 'Form validation failed on page 5',
      page_number: 5,
      validation_errors: [
        {
          field: 'How many people are in the student’s family, including the student?',
          message: 'Family size must be between 3 and 20.',
          provided_value: '2',
        },
      ],
      corrective_action: expect.stringContaining('Family size must be'),
      timestamp: expect.stringMatching(stamp),
    });
    expect(isJpeg(data.screenshot)).toBe(true);
    expect(pictures.length).toBeGreaterThan(0);
    expect(site.records[0]?.finished).toBe(false);
  });
});

describe('a site that has changed', () => {
  test.each(['renamed-id', 'look-alike', 'swapped-options'] as const)(
    'by %s is filled in right, and the healing is told',
    async (drift) => {
      await using site = await prepared('aid-estimator', { drift });
      const set = fixtures['aid-estimator'].sets(2)[1];
      const { data, text } = await execute(site.id, set?.data ?? {}, { return_screenshots: false });
      expect(data.status, text).toBe('success');
      expect(site.records[0]?.data).toEqual(set?.record);
      expect(data.healed.length).toBeGreaterThan(0);
      expect(data.healed[0]).toMatchObject({ from: expect.any(String), to: expect.any(String) });
      expect(data.healed[0].proposal).toContain(`${site.id}.json`);
    },
  );

  test('so that a field is not to be recognised ends in an error, not in a guess', async () => {
    await using site = await prepared('loan-simulator', { drift: 'changed-label' });
    const { data } = await execute(site.id, dataOf('loan-simulator'), { return_screenshots: false });
    expect(data).toMatchObject({
      status: 'error',
      error_type: 'selector_not_found',
      page_number: 2,
      recommendation: expect.stringContaining('re-discovered'),
      corrective_action: expect.any(String),
      timestamp: expect.stringMatching(stamp),
    });
    expect(isJpeg(data.screenshot)).toBe(true);
    expect(site.records[0]?.finished).toBe(false);
  });

  test.each([
    ['rows-rounded', 'row 1 was kept with another value for "Interest Rate"'],
    ['rows-lost', 'the page shows 1 rows after 2 were added'],
    ['rows-new-required-field', 'Year of the loan is required.'],
  ] as const)('in what it makes of a row (%s) does not get the form', async (drift, message) => {
    await using site = await prepared('loan-simulator', { drift });
    const loans = [
      { loan_type: 'Private Loan', loan_interest_rate: 5.5, loan_balance: 10_000 },
      { loan_type: 'Direct Subsidized Loan', loan_interest_rate: 3.2, loan_balance: 4000 },
    ];
    const user_data = { ...dataOf('loan-simulator'), current_loans: loans };
    const { data } = await execute(site.id, user_data, { return_screenshots: false });
    expect(data).toMatchObject({ status: 'validation_error', page_number: 6, validation_errors: [{ message }] });
    expect(site.records[0]?.data).not.toHaveProperty('current_loans');
  });

  test('in the rows of a group is healed and told by the name of the part, and described by a check', async () => {
    await using site = await prepared('loan-simulator', { drift: 'rows-swapped-ids' });
    const [set] = fixtures['loan-simulator'].sets(1);
    const { data, text } = await execute(site.id, set?.data ?? {}, { return_screenshots: false });
    expect(data.status, text).toBe('success');
    expect(site.records[0]?.data).toEqual(set?.record);
    const healed = data.healed.map(({ field_id }: { field_id: string }) => field_id);
    expect(healed).toEqual(['current_loans.loan_interest_rate', 'current_loans.loan_balance']);
    const { data: drift } = await call('federalscout_check_wizard', { wizard_id: site.id });
    const loans = drift.fields.find(({ field_id }: { field_id: string }) => field_id === 'current_loans');
    expect(loans).toMatchObject({ state: 'healed', detail: expect.stringContaining('current_loans.loan_balance') });
    await using fewer = await prepared('loan-simulator', { drift: 'rows-removed-option' });
    const { data: options } = await call('federalscout_check_wizard', { wizard_id: fewer.id });
    expect(options.fields).toContainEqual(
      expect.objectContaining({
        field_id: 'current_loans.loan_type',
        state: 'changed_options',
        detail: 'no longer offered: Private Loan',
      }),
    );
    await using asking = await prepared('loan-simulator', { drift: 'rows-new-required-field' });
    const { data: more } = await call('federalscout_check_wizard', { wizard_id: asking.id });
    expect(more.fields).toContainEqual(
      expect.objectContaining({ state: 'new_required_field', label: 'Current Loans: Year of the loan' }),
    );
  });

  test('by a notice in between is passed, and the notice is reported', async () => {
    await using site = await prepared('aid-estimator', { drift: 'interstitial' });
    const { data } = await execute(site.id, dataOf('aid-estimator'), { return_screenshots: false });
    expect(data.status).toBe('success');
    expect(data.warnings.join()).toContain('Before you continue');
  });

  test('is described field by field by a check that sends nothing final', async () => {
    await using site = await prepared('aid-estimator', { drift: 'removed-option' });
    const { data } = await call('federalscout_check_wizard', { wizard_id: site.id });
    expect(data).toMatchObject({ status: 'success', drifted: true, pages_checked: 7, stopped: null });
    const changed = data.fields.filter(({ state }: { state: string }) => state === 'changed_options');
    expect(changed).toMatchObject([{ field_id: 'marital_status', detail: 'no longer offered: Separated' }]);
    expect(site.records[0]?.finished).toBe(false);
    await using same = await prepared('benefit-calculator');
    expect((await call('federalscout_check_wizard', { wizard_id: same.id })).data.drifted).toBe(false);
    await using asking = await prepared('heating-help', { drift: 'new-required-field' });
    const { data: asked } = await call('federalscout_check_wizard', { wizard_id: asking.id });
    expect(asked.fields).toContainEqual(
      expect.objectContaining({ state: 'new_required_field', label: 'Phone number', field_id: null }),
    );
  });
});

test('a page that asks for something else than at its discovery is told by a check, whatever the file knows of it', async () => {
  await using site = await prepared('benefit-calculator');
  const { data: started } = await call('federalscout_start_discovery', { url: `${site.url}/OACT/quickcalc/` });
  const { data: info } = await call('federalscout_get_page_info', { session_id: started.session_id });
  const { fingerprint } = info.proposed_page_metadata;
  expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
  const stored = JSON.parse(await readFile(join(home, `wizards/${site.id}.json`), 'utf8'));
  const pages = [{ ...stored.pages[0], fingerprint }];
  const check = async (url: string) => {
    await putWizard(home, 'benefit-calculator', url, 'with-fingerprint', { pages });
    return (await call('federalscout_check_wizard', { wizard_id: 'with-fingerprint' })).data;
  };
  expect(await check(site.url)).toMatchObject({ drifted: false, proposals: [] });
  await using other = await fixtures['benefit-calculator'].start({ drift: 'new-required-field' });
  const { drifted, proposals } = await check(other.url);
  expect(drifted).toBe(true);
  expect(proposals).toEqual(['Page 1 asks for something else than when it was discovered: look at it again.']);
});

describe('a site in trouble', () => {
  test.each([
    ['down', 'navigation_failed'],
    ['blocking', 'navigation_failed'],
    ['hanging', 'timeout'],
  ] as const)('(%s) is an error of its kind, and the next call works', async (trouble, error_type) => {
    await using site = await prepared('benefit-calculator', { trouble });
    const options = { timeout_seconds: trouble === 'hanging' ? 2 : 120 };
    const { data } = await execute(site.id, dataOf('benefit-calculator'), options);
    expect(data).toMatchObject({ status: 'error', error_type, recommendation: expect.any(String) });
    await using fine = await prepared('benefit-calculator');
    expect((await execute(fine.id, dataOf('benefit-calculator'))).data.status).toBe('success');
  });

  test('in the middle of a form names the page, with a picture of it', async () => {
    await using site = await prepared('aid-estimator', { trouble: 'blocking', troubleFrom: 3 });
    const { data } = await execute(site.id, dataOf('aid-estimator'));
    expect(data).toMatchObject({ status: 'error', error_type: 'navigation_failed', page_number: 2 });
    expect(data.error).toContain('403');
    expect(isJpeg(data.screenshot)).toBe(true);
  });

  test('that only opens a dialog is told in the dialog’s words', async () => {
    const page = (script: string) =>
      `<!DOCTYPE html><title>Form</title><h1>Form</h1><form onsubmit="${script}"><label for="amount">Amount</label><input id="amount"><button id="go">Send</button></form>`;
    await using site = await serveSite(() => page("alert('That is too much'); return false"));
    const field = { label: 'Amount', field_id: 'amount', selector: '#amount', field_type: 'text', interaction: 'fill' };
    const pages = [
      {
        page_number: 1,
        page_title: 'Form',
        fields: [{ ...field, required: true, example_value: '5' }],
        continue_button: { text: 'Send', selector: '#go' },
      },
    ];
    await putWizard(home, 'benefit-calculator', site.url, 'dialog', { url: '{base_url}/', pages, results: {} });
    const { data } = await execute('dialog', { amount: '7' });
    expect(data).toMatchObject({ status: 'validation_error', page_number: 1 });
    expect(data.validation_errors[0].message).toContain('That is too much');
  });
});

describe('private values', () => {
  const secret = {
    full_name: 'Zebulon Quackenbush',
    email: 'zq.4711@private.example',
    monthly_income: '7316',
    remarks: 'Xyzzyplugh',
  };
  const user_data = { ...dataOf('heating-help'), ...secret };

  test('stand in no file, log, trace or error text of a run, failed or not', async () => {
    await using own = await newFolder();
    const env: Record<string, string> = { ...(await wizardEnvironment(own)), ASSAY_LOG_LEVEL: 'trace' };
    await using good = await fixtures['heating-help'].start();
    await using bad = await fixtures['heating-help'].start({ drift: 'new-required-field' });
    await using hung = await fixtures['heating-help'].start({ trouble: 'hanging' });
    await using refusing = await fixtures['heating-help'].start();
    for (const [id, site] of Object.entries({ good, bad, hung, refusing }))
      await putWizard(env['ASSAY_HOME'] ?? '', 'heating-help', site.url, id);
    await using server = await startHttp({ args: ['--toolsets', 'wizards', '--allow-addresses', '127.0.0.1'], env });
    await using caller = await connectHttp('modern', server);
    const outcomes: string[] = [];
    for (const wizard_id of ['good', 'bad', 'hung', 'refusing']) {
      // What is no address is refused by the site, and is somebody's own all the same.
      const data = wizard_id === 'refusing' ? { ...user_data, email: 'zq.4711 at private' } : user_data;
      const answer = await caller.callTool({
        name: 'federalrunner_execute_wizard',
        // Only the site that hangs runs into its limit; the others get all the time that they need.
        arguments: { wizard_id, user_data: data, options: { timeout_seconds: wizard_id === 'hung' ? 10 : 120 } },
      });
      const { screenshot: _, screenshots: __, ...told } = JSON.parse(JSON.stringify(answer.structuredContent));
      outcomes.push(told.status);
      const said = JSON.stringify([told, answer.content.filter(({ type }) => type === 'text')]);
      for (const value of [...Object.values(secret), 'zq.4711']) expect(said, wizard_id).not.toContain(value);
      if (wizard_id === 'refusing')
        expect(told.validation_errors).toMatchObject([{ field: 'Email address', provided_value: '[private]' }]);
    }
    expect(outcomes).toEqual(['success', 'validation_error', 'error', 'validation_error']);
    expect(good.records[0]?.data).toMatchObject({ full_name: secret.full_name });
    const files = await allIn(join(own.path, 'home'));
    expect([...files.keys()].filter((path) => path.endsWith('.jsonl'))).toHaveLength(4);
    expect([...files.keys()].some((path) => path.endsWith('trace.zip/trace.trace'))).toBe(true);
    files.set('stderr', server.stderr());
    for (const [path, content] of files)
      for (const value of [...Object.values(secret), '7,316', 'zq.4711', encodeURIComponent(secret.email)])
        expect(content.includes(value), `${value} in ${path}`).toBe(false);
  });
});

test('over HTTP a token that lets look lets nobody act, and the hundred-and-first look an hour is refused', async () => {
  await using provider = await startProvider('https://api.example');
  await using own = await newFolder();
  const env = await wizardEnvironment(own);
  const flags = [
    '--oauth-issuer',
    provider.issuer,
    '--oauth-audience',
    'https://api.example',
    '--public-url',
    'https://assay.example/mcp',
  ];
  await using server = await startHttp({ args: ['--toolsets', 'wizards', ...flags], env });
  const token = await provider.token({ scope: 'federalrunner:read', aud: 'https://api.example' });
  await using reader = await connectHttp('modern', { url: server.url, token });
  const { tools } = await reader.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'federalrunner_get_wizard_info',
    'federalrunner_list_wizards',
    'federalrunner_validate_user_data',
  ]);
  const acting = reader.callTool({
    name: 'federalrunner_execute_wizard',
    arguments: { wizard_id: 'x', user_data: {} },
  });
  await expect(acting).rejects.toThrow();
  for (let i = 0; i < 100; i++) await reader.callTool({ name: 'federalrunner_list_wizards', arguments: {} });
  const refused = await reader.callTool({ name: 'federalrunner_list_wizards', arguments: {} });
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: {
      error: 'rate_limit_exceeded',
      message: 'Rate limit exceeded for federalrunner_list_wizards',
      limit: 100,
      reset_at: expect.stringMatching(stamp),
      status: 'error',
      timestamp: expect.stringMatching(stamp),
    },
  });
  const other = await reader.callTool({ name: 'federalrunner_get_wizard_info', arguments: { wizard_id: 'x' } });
  expect(other).toMatchObject({ structuredContent: { error_type: 'wizard_not_found' } });
});
