import { afterAll, expect, test } from 'vitest';
import { testHome } from '../../../../test/sites/workspace.ts';
import { createBrowserPool } from '../../../platform/browser/browser-pool.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { testServer } from '../../../platform/page/test-support.ts';
import { type FieldTrial, trialsForField } from '../../cases/values/field-trials.ts';
import { validValue } from '../../cases/values/field-values.ts';
import { openSession } from '../../replay/session/replay-session.ts';
import { performAction } from '../../replay/steps/perform-action.ts';
import { newUsageMeter } from '../../runs/usage-meter.ts';
import { projectSecretsFrom } from '../../secrets/project-secrets.ts';
import { describeField, stepsToSetField } from '../record/field-steps.ts';

const browserPool = createBrowserPool({ home: testHome });
afterAll(() => browserPool.close());

const fields = [
  'required minlength=3 maxlength=20 name=username',
  'pattern="[a-z0-9]+" minlength=4 maxlength=12',
  'pattern="[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}" minlength=15 required',
  'type=email minlength=6 maxlength=30 required',
  'type=email maxlength=200',
  'type=url minlength=15 maxlength=40',
  'type=password minlength=8 maxlength=20',
  'type=tel minlength=8 maxlength=20',
  'type=number min=1 max=10 step=2',
  'type=number step=5 value=3',
  'type=number min=0.01 max=99.99 step=0.01',
  'type=number min=0.1 max=0.7 step=0.1',
  'type=number min=-0.3 max=0.35 step=0.1',
  'type=number min=0.5 max=3 step=any',
  'type=number max=1e3 step=2.5 value=0.5',
  'type=date min=2030-03-01 max=2030-12-31 step=7',
  'type=time min=09:00 max=17:10 step=900',
  'type=datetime-local min=2030-01-01T00:00 max=2030-02-01T12:00',
  'type=month min=2030-01 max=2030-12 step=5',
  'type=week min=2026-W50 max=2027-W02 step=2',
  'type=week max=2026-W53',
];

test('derives field values that the browser accepts and rejects as planned', async () => {
  await using site = await testServer((_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(
        `<!doctype html><title>T</title><form>${fields.map((one, i) => `<p><label>Field ${i} <input id=f${i} ${one}></label>`).join('')}</form>`,
      ),
  );
  const options = { browsers: async () => browserPool, inside: undefined, meter: newUsageMeter() };
  await using session = await openSession({
    ...options,
    secrets: projectSecretsFrom([], new Map()),
    baseUrl: site.url,
  });
  await performAction(session, { do: 'goto', url: '/' });
  const { controls } = await readPage(session.page());
  const wrong: string[] = [];
  for (const [i, control] of controls.entries()) {
    const facts = { ...describeField(control), value: control.value };
    const happy: FieldTrial = { id: 'valid', title: '', value: validValue(facts) ?? '', expected: 'accepted' };
    for (const trial of [happy, ...trialsForField(facts)].filter(({ expected }) => expected !== 'observed')) {
      if (trial.typed) await session.page().locator(`#f${i}`).fill('');
      for (const step of stepsToSetField(control, trial.value, { typed: trial.typed ?? false }))
        await performAction(session, step);
      const seen = await session.page().evaluate((id) => {
        const field = document.querySelector(`#${id}`);
        if (!(field instanceof HTMLInputElement)) throw new Error('no field');
        const flags: string[] = [];
        for (const flag in field.validity) if (Reflect.get(field.validity, flag) === true) flags.push(flag);
        return { flags: flags.join(' '), value: field.value };
      }, `f${i}`);
      const isAsSaid = {
        accepted: seen.flags === 'valid',
        rejected: seen.flags === trial.flag,
        cut: seen.flags === 'valid' && seen.value === session.fillIn(trial.acceptedValue ?? ''),
        observed: true,
      };
      if (!isAsSaid[trial.expected])
        wrong.push(`${fields[i]}: ${trial.id} ${trial.value}: ${seen.flags} ${seen.value}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(controls).toHaveLength(fields.length);
});
