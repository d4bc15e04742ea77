import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HandScript, handScripts } from '../../bench/wizards/hand-scripts.ts';
import { openWizardEngine, type WizardEngine } from '../../bench/wizards/wizard-engine.ts';
import { judgeWizardRun } from '../../bench/wizards/wizard-verdict.ts';
import { createBrowserPool } from '../../src/platform/browser/browser-pool.ts';
import { openWizardFolder } from '../../src/wizards/files/wizard-folder.ts';
import { validateUserData } from '../../src/wizards/validation/validate-user-data.ts';
import { startAidEstimator } from '../sites/forms/aid-estimator.ts';
import { startBenefitCalculator } from '../sites/forms/benefit-calculator.ts';
import { aidEstimatorSets, oldAidEstimatorSets } from '../sites/forms/data/aid-estimator.ts';
import { benefitCalculatorSets } from '../sites/forms/data/benefit-calculator.ts';
import type { Drift } from '../sites/forms/definition.ts';
import { fixtureNames, fixtures } from '../sites/forms/index.ts';
import { wizardHome } from '../sites/forms/wizard-home.ts';
import { testHome } from '../sites/workspace.ts';

const browsers = createBrowserPool({ home: testHome });
afterAll(() => browsers.close());

async function inBrowser<T>(work: (page: Page) => Promise<T>): Promise<T> {
  await using opened = await browsers.open({ allowedPrivateAddresses: undefined });
  const page = await opened.context.newPage();
  return await work(page);
}

const fillIn = (script: HandScript, url: string, data: Record<string, unknown>) =>
  inBrowser((page) => script(page, url, data));

describe.each(fixtureNames)('the site %s', (name) => {
  const { start, sets, drifts } = fixtures[name];

  test('records what scripts of concurrent visitors fill in, and returns the results of each', async () => {
    await using site = await start();
    const chosen = sets(2);
    await Promise.all(chosen.map(({ data }) => fillIn(handScripts[name], site.url, data)));
    const found = chosen.map(({ record }) => site.records.find(({ data }) => isDeepStrictEqual(data, record)));
    expect(found).toMatchObject(chosen.map(({ results }) => ({ results, finished: true })));
    expect(site.records).toHaveLength(chosen.length);
  });

  // Some drifts show only in the stored row or value.
  const visible = drifts.filter((drift) => !['rows-rounded', 'rows-lost', 'submit-handler'].includes(drift));
  test.each(visible)('looks different after drift: %s', async (drift) => {
    await using usual = await start();
    await using drifted = await start({ drift });
    expect(drifted.faces()).not.toEqual(usual.faces());
  });

  test('has fifty different data sets that are the same in every run', () => {
    const fifty = sets(50);
    expect(fifty).toEqual(sets(50));
    expect(new Set(fifty.map(({ data }) => JSON.stringify(data))).size).toBe(50);
    expect(new Set(fifty.map(({ results }) => JSON.stringify(results))).size).toBeGreaterThan(40);
  });
});

test('loads the wizards of the sites and accepts their data sets', async () => {
  await using home = await wizardHome('http://127.0.0.1');
  const folder = openWizardFolder(home.path, { baseUrl: 'http://127.0.0.1' });
  expect(await folder.list()).toMatchObject({ broken: [] });
  for (const name of fixtureNames) {
    const stored = await folder.read(name);
    for (const { data } of fixtures[name].sets(10))
      expect(validateUserData(stored, data)).toMatchObject({ valid: true, missing_fields: [], invalid_fields: [] });
  }
  const old = await folder.read('aid-estimator-old');
  for (const { data } of oldAidEstimatorSets(10)) expect(validateUserData(old, data)).toMatchObject({ valid: true });
});

describe('the aid estimator', () => {
  const first = aidEstimatorSets(20).find(({ data }) => data['parent_filed_taxes'] === 'yes');
  if (!first) throw new Error('no parents who filed taxes');
  const { data, record } = first;

  test('is filled in wrongly without notice by a script that trusts swapped ids', async () => {
    await using site = await startAidEstimator({ drift: 'swapped-ids' });
    await fillIn(handScripts['aid-estimator'], site.url, data);
    const { parent_income, parent_assets } = record;
    expect(site.records).toMatchObject([
      { finished: true, data: { parent_income: parent_assets, parent_assets: parent_income } },
    ]);
  });

  test('rejects values on the server with its own message', async () => {
    await using site = await startAidEstimator();
    const said = await inBrowser(async (page) => {
      const wrong = { ...data, parents_married: 'yes', family_size: 2 };
      const filling = handScripts['aid-estimator'](page, site.url, wrong).catch(() => undefined);
      const message = await page.getByRole('alert').innerText();
      await page.context().close();
      await filling;
      return message;
    });
    expect(said).toContain('Family size must be between 3 and 20.');
    expect(site.records[0]).toMatchObject({ finished: false, accepted: [1, 2, 3, 4], rejected: [{ page: 5 }] });
  });

  test('sends a visitor who starts in the middle back to the first page', async () => {
    await using site = await startAidEstimator();
    const response = await fetch(`${site.url}/aid-estimator/estimate/parent-information`);
    expect(response.url).toBe(`${site.url}/aid-estimator/`);
  });

  test('can be down, block visitors or never respond from any page on', async () => {
    await using down = await startAidEstimator({ trouble: 'down' });
    await expect(fetch(`${down.url}/aid-estimator/`)).rejects.toThrow('fetch failed');
    await using blocking = await startAidEstimator({ trouble: 'blocking', troubleFrom: 1 });
    expect((await fetch(`${blocking.url}/aid-estimator/`)).status).toBe(200);
    const refused = await fetch(`${blocking.url}/aid-estimator/estimate/student-information`);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('CAPTCHA');
    await using hanging = await startAidEstimator({ trouble: 'hanging' });
    const late = fetch(`${hanging.url}/aid-estimator/`, { signal: AbortSignal.timeout(200) });
    await expect(late).rejects.toThrow('timeout');
  });
});

describe('a wizard for a changed form', () => {
  let engine: WizardEngine;
  beforeAll(async () => {
    engine = await openWizardEngine();
  });
  afterAll(() => engine[Symbol.asyncDispose]());

  test('is filled in by name and reports swapped ids', async () => {
    const set = benefitCalculatorSets(20).find(({ data }) => 'last_year_earnings' in data);
    if (!set) throw new Error('no data set has earnings');
    await using site = await startBenefitCalculator({ drift: 'swapped-ids' });
    const result = await engine.run('benefit-calculator', site.url, set.data);
    expect(judgeWizardRun(result, site.records, set)).toMatchObject({ correct: true, wrongValues: 0, heals: 2 });
  });

  /** Data for a drift of a conditional question. */
  const needed: Partial<Record<Drift, Record<string, string>>> = {
    'unit-change': { 'aid-estimator': 'parent_child_support', 'loan-simulator': 'income_growth_rate' },
  };
  const unseen: readonly Drift[] = ['changed-question', 'rows-changed-question', 'unit-change', 'submit-handler'];
  const cases = fixtureNames.flatMap((name) =>
    fixtures[name].drifts.filter((drift) => unseen.includes(drift)).map((drift) => ({ name, drift })),
  );
  test.each(cases)(
    'is not submitted if all names and ids are unchanged but the meaning is not: $name, $drift',
    async ({ name, drift }) => {
      const key = needed[drift]?.[name];
      const set = fixtures[name].sets(20).find(({ data }) => key === undefined || key in data);
      if (!set) throw new Error(`no data set has ${key}`);
      await using site = await fixtures[name].start({ drift });
      const result = await engine.run(name, site.url, set.data);
      expect(result).toMatchObject({ status: 'error', error: expect.stringMatching(/^selector_not_found: /) });
      expect(judgeWizardRun(result, site.records, set)).toMatchObject({ wrongValues: 0, falseSuccess: false });
      expect(site.records.some(({ finished }) => finished)).toBe(false);
    },
  );

  test.each(['swapped-ids', 'look-alike'] as const)(
    'is not submitted if the file has only ids that match other fields: %s',
    async (drift) => {
      const set = oldAidEstimatorSets(20).find(({ data }) => data['parent_filed_taxes'] === 'yes');
      if (!set) throw new Error('no parents who filed taxes');
      await using site = await startAidEstimator({ drift });
      const result = await engine.run('aid-estimator-old', site.url, set.data);
      expect(result).toMatchObject({
        status: 'error',
        error: expect.stringMatching(/which is another element|the question has changed/),
      });
      expect(judgeWizardRun(result, site.records, set)).toMatchObject({ wrongValues: 0, falseSuccess: false });
    },
  );
});
