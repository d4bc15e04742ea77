import { describe, expect, test } from 'vitest';
import { fixtures } from '../sites/forms/index.ts';
import { connectHttp, startHttp } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';
import { isSmallJpeg } from '../support/server/pictures.ts';
import { startProvider } from '../support/services/provider.ts';
import { putWizard, wizardEnvironment } from '../support/wizards/wizards.ts';
import { dataOf, stamp, wizardServer } from '../support/wizards/wizards-server.ts';

const { prepared, call, execute, picture, home, folder } = wizardServer();

describe('the list of wizards', () => {
  test('includes broken files, and each wizard is described page by page', async () => {
    await using site = await prepared('aid-estimator');
    await folder().write('home/wizards/broken.json', '{');
    await putWizard(home(), 'benefit-calculator', site.url, 'odd-contract');
    await folder().write('home/wizards/odd-contract.schema.json', '{"type": "objekt"}');
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
      shared: false,
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

  test('rejects ids that are paths and suggests the nearest id', async () => {
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
    expect(unknown.data).toMatchObject({
      status: 'error',
      error_type: 'wizard_not_found',
      corrective_action: expect.stringContaining('federalrunner_list_wizards'),
      recommendation: expect.stringContaining('until a wizard with this id exists'),
    });
  });

  test('validates user data without a browser', async () => {
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
  test('submits the right record and returns results and a screenshot per page', async () => {
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
    const shots: Buffer[] = [];
    for (const { image } of data.screenshots) shots.push(await picture(image));
    expect(shots.every(isSmallJpeg)).toBe(true);
    expect(answer.pictures.map((block) => block.data)).toEqual([shots.at(-1)?.toString('base64')]);
    expect(steps.filter((step) => step.startsWith('page ')).length).toBeGreaterThan(0);
  });

  test('returns no screenshots or smaller ones on request', async () => {
    await using site = await prepared('benefit-calculator');
    const user_data = dataOf('benefit-calculator');
    const none = await execute(site.id, user_data, { return_screenshots: false });
    expect(none.data).toMatchObject({ status: 'success', screenshots: [] });
    expect(none.pictures).toEqual([]);
    const [poor, good] = [
      await execute(site.id, user_data, { screenshot_quality: 1 }),
      await execute(site.id, user_data),
    ];
    const [worse, better] = [
      await picture(poor.data.screenshots[0].image),
      await picture(good.data.screenshots[0].image),
    ];
    expect(worse.length).toBeLessThan(better.length);
  });

  test.each(['loan-simulator', 'heating-help', 'food-benefits'] as const)(
    'of %s submits the right record',
    async (name) => {
      await using site = await prepared(name);
      const [set] = fixtures[name].sets(1);
      const { data, text } = await execute(site.id, set?.data ?? {}, { return_screenshots: false });
      expect(data.status, text).toBe('success');
      expect(site.records).toMatchObject([{ finished: true, data: set?.record }]);
    },
  );

  test('does not start with missing or invalid data and names all of it', async () => {
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

  test('that the site rejects is a validation error with the text of the site', async () => {
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
    expect((await picture(data.screenshot)).toString('base64')).toBe(pictures[0]?.data);
    expect(site.records[0]?.finished).toBe(false);
  });
});

test('rejects execution with a read scope and the 101st read per hour over HTTP', async () => {
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
