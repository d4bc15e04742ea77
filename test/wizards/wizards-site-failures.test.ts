import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixtures } from '../sites/forms/index.ts';
import { serveSite } from '../sites/serve.ts';
import { connectHttp, startHttp } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';
import { isSmallJpeg } from '../support/server/pictures.ts';
import { containsValue, putWizard, readAllFiles, wizardEnvironment } from '../support/wizards/wizards.ts';
import { dataOf, wizardServer } from '../support/wizards/wizards-server.ts';

const { prepared, execute, picture, home } = wizardServer();

async function closedSite() {
  await using site = await serveSite(() => '');
  return { url: site.url };
}

describe('a failing site', () => {
  test.each([
    ['down', 'navigation_failed'],
    ['blocking', 'navigation_failed'],
    ['hanging', 'timeout'],
  ] as const)('(%s) causes a specific error, and the next call works', async (trouble, error_type) => {
    await using site = await prepared('benefit-calculator', { trouble });
    const options = { timeout_seconds: trouble === 'hanging' ? 2 : 120 };
    const { data } = await execute(site.id, dataOf('benefit-calculator'), options);
    expect(data).toMatchObject({ status: 'error', error_type, recommendation: expect.any(String) });
    await using fine = await prepared('benefit-calculator');
    expect((await execute(fine.id, dataOf('benefit-calculator'))).data.status).toBe('success');
  });

  test('that is unreachable is reported with its address and without advice to discover again', async () => {
    const { url } = await closedSite();
    await putWizard(home(), 'benefit-calculator', url, 'unreachable');
    const { data } = await execute('unreachable', dataOf('benefit-calculator'));
    expect(data).toMatchObject({
      status: 'error',
      error_type: 'navigation_failed',
      error: expect.stringMatching(/^The site cannot be reached at ".*": the connection was refused\.$/),
      screenshot: null,
      corrective_action: expect.stringContaining('ASSAY_WIZARDS_BASE_URL'),
    });
    expect(data.error).toContain(url);
    expect(data.recommendation).toContain('need not be discovered again');
  });

  test('in the middle of a form is reported with the page and a screenshot', async () => {
    await using site = await prepared('aid-estimator', { trouble: 'blocking', troubleFrom: 3 });
    const { data } = await execute(site.id, dataOf('aid-estimator'));
    expect(data).toMatchObject({ status: 'error', error_type: 'navigation_failed', page_number: 2 });
    expect(data.error).toContain('403');
    expect(isSmallJpeg(await picture(data.screenshot))).toBe(true);
  });

  test('that only opens a dialog is reported with the text of the dialog', async () => {
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
    await putWizard(home(), 'benefit-calculator', site.url, 'dialog', { url: '{base_url}/', pages, results: {} });
    const { data } = await execute('dialog', { amount: '7' });
    expect(data).toMatchObject({ status: 'validation_error', page_number: 1 });
    expect(data.validation_errors[0].message).toContain('That is too much');
  });
});

describe('private values', () => {
  const secret = {
    full_name: 'Zebulon Quackenbush',
    email: 'zq.4711@private.example',
    monthly_income: '731649',
    remarks: 'Xyzzyplugh',
  };
  const user_data = { ...dataOf('heating-help'), ...secret };

  test('are in no file, log, trace or error of a run', async () => {
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
      // The site rejects an invalid address, which is still private.
      const data = wizard_id === 'refusing' ? { ...user_data, email: 'zq.4711 at private' } : user_data;
      const answer = await caller.callTool({
        name: 'federalrunner_execute_wizard',
        // Only the hanging site reaches its limit.
        arguments: { wizard_id, user_data: data, options: { timeout_seconds: wizard_id === 'hung' ? 10 : 120 } },
      });
      const { screenshot: _, screenshots: __, ...result } = JSON.parse(JSON.stringify(answer.structuredContent));
      outcomes.push(result.status);
      const said = JSON.stringify([result, answer.content.filter(({ type }) => type === 'text')]);
      for (const value of [...Object.values(secret), 'zq.4711'])
        expect(containsValue(said, value), wizard_id).toBe(false);
      if (wizard_id === 'refusing')
        expect(result.validation_errors).toMatchObject([{ field: 'Email address', provided_value: '[private]' }]);
    }
    expect(outcomes).toEqual(['success', 'validation_error', 'error', 'validation_error']);
    expect(good.records[0]?.data).toMatchObject({ full_name: secret.full_name });
    const files = await readAllFiles(join(own.path, 'home'));
    expect([...files.keys()].filter((path) => path.endsWith('.jsonl'))).toHaveLength(4);
    expect([...files.keys()].some((path) => path.endsWith('trace.zip/trace.trace'))).toBe(true);
    files.set('stderr', server.stderr());
    for (const [path, content] of files)
      for (const value of [...Object.values(secret), '731,649', 'zq.4711', encodeURIComponent(secret.email)])
        expect(containsValue(content, value), `${value} in ${path}`).toBe(false);
  });
});
