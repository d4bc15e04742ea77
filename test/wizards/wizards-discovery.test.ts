import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtures } from '../sites/forms/index.ts';
import type { FormSite } from '../sites/forms/server.ts';
import { connectStdio, type Result } from '../support/assay.ts';
import { isSmallJpeg } from '../support/server/pictures.ts';
import { askOn, moment, wizardScout } from '../support/wizards/wizards-discovery.ts';

const { call, ok, start, picture, env, trap } = wizardScout();

describe('a discovery from the first page to the wizard', () => {
  let site: FormSite;
  let session_id: string;
  beforeAll(async () => {
    site = await fixtures['aid-estimator'].start();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  test('opens the form and returns a screenshot and the next steps', async () => {
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
    const shot = await picture(data.screenshot);
    expect(isSmallJpeg(shot)).toBe(true);
    expect(images).toEqual([shot]);
    expect(JSON.parse(text)).toEqual(data);
    session_id = data.session_id;
  });

  test('clicks the start button by its text', async () => {
    const data = await ok('federalscout_click_element', { session_id, selector: 'Start Estimate' });
    expect(data).toMatchObject({
      success: true,
      status: 'success',
      current_url: expect.stringMatching(/student-information$/),
      message: expect.stringContaining('led to another page'),
    });
  });

  test('describes the page and proposes its metadata', async () => {
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
    expect(again).toMatchObject({
      total_pages_discovered: 1,
      message: expect.stringContaining('replaces the earlier version'),
    });
    expect(JSON.parse(readFileSync(saved.partial_file, 'utf8')).pages).toHaveLength(1);
  });

  test('reports failed actions by number, runs the others and captures the page once', async () => {
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
    expect(data).toMatchObject({
      status: 'partial',
      success: false,
      completed_count: 3,
      total_actions: 5,
      timestamp: moment,
    });
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

  test('writes a wizard with schema, start action and warnings', async () => {
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
      saved_to: join(env()['ASSAY_HOME'] ?? '', 'wizards/my-estimator.json'),
      previous_version: null,
      timestamp: moment,
      validation: { valid: false, total_pages: 2, total_fields: 5 },
    });
    expect(data.validation.warnings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Page 2 was not saved/),
        expect.stringMatching(/the selector input of 'Month' matches \d+ elements/),
        expect.stringContaining("the selector #ghost of 'Ghost' matches no element"),
        expect.stringContaining('the continue button #nowhere matches no element'),
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
    expect(readdirSync(join(env()['ASSAY_HOME'] ?? '', 'wizards/partial'))).toEqual([]);
    expect((await call('federalscout_get_page_info', { session_id })).data).toMatchObject({
      status: 'error',
      error_type: 'invalid_session',
    });
    const { wizards } = await ok('federalrunner_list_wizards', {});
    expect(wizards).toContainEqual(expect.objectContaining({ wizard_id: 'my-estimator.json', name: 'Aid estimator' }));
  });

  test('keeps the previous version when it is repeated', async () => {
    const again = await start(trap('depends'));
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

test('records the condition of a question that an answer reveals', async () => {
  const session_id = await start(trap('depends'));
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

test('runs a wizard from proposals with the same submission and results as the discovery', async () => {
  await using site = await fixtures['benefit-calculator'].start();
  const session_id = await start(`${site.url}/`);
  const info = await ok('federalscout_get_page_info', { session_id });
  const { continue_button } = info.proposed_page_metadata;
  // The agent knows what the form accepts; everything else is as proposed.
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

test('lists an interrupted discovery at the next start', async () => {
  const url = trap('depends?interrupted');
  const first = await connectStdio('modern', { env: env() });
  try {
    const started = await askOn(first, 'federalscout_start_discovery', { url });
    const { session_id } = started.data;
    const info = await askOn(first, 'federalscout_get_page_info', { session_id });
    const page_metadata = info.data.proposed_page_metadata;
    await askOn(first, 'federalscout_save_page_metadata', { session_id, page_metadata });
  } finally {
    await first[Symbol.asyncDispose]();
  }
  const { data } = await call('federalscout_start_discovery', { url });
  expect(data.unfinished).toEqual([
    { partial_file: expect.stringContaining('/wizards/partial/'), pages_saved: 1, saved_at: moment },
  ]);
  expect(data.message).toContain(data.unfinished[0].partial_file);
});
