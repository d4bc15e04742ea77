import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixtures } from '../sites/forms/index.ts';
import { isSmallJpeg } from '../support/server/pictures.ts';
import { putWizard } from '../support/wizards/wizards.ts';
import { dataOf, stamp, wizardServer } from '../support/wizards/wizards-server.ts';

const { prepared, call, execute, picture, home } = wizardServer();

describe('a changed site', () => {
  test.each(['renamed-id', 'look-alike', 'swapped-options'] as const)(
    '(%s) is filled in correctly and the healing is reported',
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

  test('with an unrecognizable field ends in an error', async () => {
    await using site = await prepared('loan-simulator', { drift: 'changed-label' });
    const { data } = await execute(site.id, dataOf('loan-simulator'), { return_screenshots: false });
    expect(data).toMatchObject({
      status: 'error',
      error_type: 'selector_not_found',
      page_number: 2,
      recommendation: 'Wizard structure may need to be re-discovered',
      corrective_action: expect.stringContaining('federalscout_check_wizard'),
      timestamp: expect.stringMatching(stamp),
    });
    expect(isSmallJpeg(await picture(data.screenshot))).toBe(true);
    expect(site.records[0]?.finished).toBe(false);
  });

  test.each([
    ['rows-rounded', 'row 1 was saved with another value for "Interest Rate"'],
    ['rows-lost', 'the page shows 1 rows after 2 were added'],
    ['rows-new-required-field', 'Year of the loan is required.'],
  ] as const)('that changes a row (%s) does not get the form', async (drift, message) => {
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

  test('in the rows of a group is healed, reported by sub-field, and described by a check', async () => {
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
        detail: 'removed: Private Loan',
      }),
    );
    await using asking = await prepared('loan-simulator', { drift: 'rows-new-required-field' });
    const { data: more } = await call('federalscout_check_wizard', { wizard_id: asking.id });
    expect(more.fields).toContainEqual(
      expect.objectContaining({ state: 'new_required_field', label: 'Current Loans: Year of the loan' }),
    );
  });

  test('with a notice in between is passed, and the notice is reported', async () => {
    await using site = await prepared('aid-estimator', { drift: 'interstitial' });
    const { data } = await execute(site.id, dataOf('aid-estimator'), { return_screenshots: false });
    expect(data.status).toBe('success');
    expect(data.warnings.join()).toContain('Before you continue');
  });

  test('is described field by field by a check that does not submit the last page', async () => {
    await using site = await prepared('aid-estimator', { drift: 'removed-option' });
    const { data } = await call('federalscout_check_wizard', { wizard_id: site.id });
    expect(data).toMatchObject({ status: 'success', drifted: true, pages_checked: 7, stopped: null });
    const changed = data.fields.filter(({ state }: { state: string }) => state === 'changed_options');
    expect(changed).toMatchObject([{ field_id: 'marital_status', detail: 'removed: Separated' }]);
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

test('reports changed questions of a page in a check', async () => {
  await using site = await prepared('benefit-calculator');
  const { data: started } = await call('federalscout_start_discovery', { url: `${site.url}/OACT/quickcalc/` });
  const { data: info } = await call('federalscout_get_page_info', { session_id: started.session_id });
  const { fingerprint } = info.proposed_page_metadata;
  expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
  const stored = JSON.parse(await readFile(join(home(), `wizards/${site.id}.json`), 'utf8'));
  const pages = [{ ...stored.pages[0], fingerprint }];
  const check = async (url: string) => {
    await putWizard(home(), 'benefit-calculator', url, 'with-fingerprint', { pages });
    return (await call('federalscout_check_wizard', { wizard_id: 'with-fingerprint' })).data;
  };
  expect(await check(site.url)).toMatchObject({ drifted: false, proposals: [] });
  await using other = await fixtures['benefit-calculator'].start({ drift: 'new-required-field' });
  const { drifted, proposals } = await check(other.url);
  expect(drifted).toBe(true);
  expect(proposals).toEqual(['Page 1 asks other questions than at the discovery. Discover the form again.']);
});

/** Applies a JSON Patch with test, replace and add. */
function patched(document: unknown, edits: readonly { op: string; path: string; value: unknown }[]): unknown {
  const copy = JSON.parse(JSON.stringify(document));
  for (const { op, path, value } of edits) {
    const steps = path
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = steps.pop() ?? '';
    const target = steps.reduce((at, step) => at[step], copy);
    if (op === 'test') expect(target[last]).toEqual(value);
    else if (last === '-') target.push(value);
    else target[last] = value;
  }
  return copy;
}

test.each(['renamed-id', 'swapped-options', 'look-alike'] as const)(
  'proposes edits (%s) after which no selector needs healing',
  async (drift) => {
    await using site = await prepared('aid-estimator', { drift });
    const set = fixtures['aid-estimator'].sets(2)[1];
    const file = join(home(), 'wizards', `${site.id}.json`);
    const { data: first } = await execute(site.id, set?.data ?? {}, { return_screenshots: false });
    const edits = first.healed.flatMap(({ edit }: { edit: object[] }) => edit);
    expect(edits.length).toBeGreaterThan(0);
    await writeFile(file, JSON.stringify(patched(JSON.parse(await readFile(file, 'utf8')), edits)));
    const { data: second, text } = await execute(site.id, set?.data ?? {}, { return_screenshots: false });
    expect(second.status, text).toBe('success');
    expect(second.healed).toEqual([]);
    expect(site.records.map(({ data }) => data)).toEqual([set?.record, set?.record]);
  },
);
