import { afterAll, expect, test } from 'vitest';
import { testHome } from '../../../../test/sites/workspace.ts';
import { createBrowserPool } from '../../../platform/browser/browser-pool.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { testServer } from '../../../platform/page/test-support.ts';
import { validValue } from '../../cases/values/field-values.ts';
import { openSession, type ReplaySession } from '../../replay/session/replay-session.ts';
import { performAction } from '../../replay/steps/perform-action.ts';
import { newUsageMeter } from '../../runs/usage-meter.ts';
import { projectSecretsFrom } from '../../secrets/project-secrets.ts';
import { recordFirstOption } from './choose-option.ts';
import { describeField, stepsToSetField } from './field-steps.ts';
import { createScriptRecorder, newScriptDraft } from './script-recorder.ts';
import { recordTypeaheadChoice } from './typeahead.ts';

const browserPool = createBrowserPool({ home: testHome });
afterAll(() => browserPool.close());

const drawn = `<span id="l">Size</span><button role="combobox" aria-labelledby="l" aria-haspopup="listbox" aria-expanded="false"
  onclick="this.nextElementSibling.hidden = false">Choose</button>
<ul role="listbox" aria-label="Sizes" hidden onclick="document.querySelector('button').textContent = event.target.textContent; this.hidden = true">
<li role="option">Small</li><li role="option">Large</li></ul>`;
const proposing = `<label>Town <input name="town" list="towns"></label><datalist id="towns"><option value="Leeds"><option value="York"></datalist>`;

const asking = `<label>Town <input name="town" role="combobox" aria-autocomplete="list" aria-controls="found" aria-expanded="false"
  oninput="found.replaceChildren(...['York', 'Leeds'].filter((town) => this.value && town.toLowerCase().includes(this.value)).map((town) => Object.assign(document.createElement('li'), { role: 'option', textContent: town, onclick: () => { this.value = town; found.replaceChildren(); } })))"></label>
<ul id="found" role="listbox" aria-label="Towns"></ul>`;

async function after(html: string, value?: string): Promise<string> {
  await using site = await testServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>T</title>${html}`),
  );
  const options = {
    browsers: async () => browserPool,
    inside: undefined,
    secrets: projectSecretsFrom([], new Map()),
    meter: newUsageMeter(),
  };
  await using session = await openSession({ ...options, baseUrl: site.url });
  await performAction(session, { do: 'goto', url: '/' });
  const { controls } = await readPage(session.page());
  const [control] = controls;
  if (!control) throw new Error('no control');
  if (await recordTypeaheadChoice(createScriptRecorder(session, newScriptDraft(), false), control))
    return await shown(session);
  const wanted = value ?? validValue(describeField(control)) ?? '';
  for (const step of stepsToSetField(control, wanted)) await performAction(session, step);
  return await shown(session);
}

function shown(session: ReplaySession): Promise<string> {
  return session.page().evaluate(() => {
    const [field] = document.querySelectorAll('input, button');
    return field instanceof HTMLInputElement ? field.value : (field?.textContent ?? '');
  });
}

test('opens a custom listbox and clicks its option', async () => {
  expect(await after(drawn, 'Large')).toBe('Large');
});

test('fills a typeahead with one of its options', async () => {
  expect(await after(proposing)).toBe('Leeds');
});

test('takes the first suggestion of a typeahead that needs typing', async () => {
  expect(await after(asking)).toBe('Leeds');
});

test('chooses the first option of a dependent select after it loads', async () => {
  await using site = await testServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>T</title>
<label>Country <select name="country" onchange="setTimeout(() => { region.disabled = false; region.add(new Option('Hesse')); }, 200)">
<option value=""></option><option>Germany</option></select></label>
<label>Region <select name="region" id="region" required disabled><option value="">Choose a country first</option></select></label>`),
  );
  const options = { browsers: async () => browserPool, inside: undefined, meter: newUsageMeter() };
  await using session = await openSession({
    ...options,
    secrets: projectSecretsFrom([], new Map()),
    baseUrl: site.url,
  });
  await performAction(session, { do: 'goto', url: '/' });
  const recorder = createScriptRecorder(session, newScriptDraft(), false);
  const [country, region] = (await readPage(session.page())).controls;
  if (!country || !region) throw new Error('no fields');
  for (const step of stepsToSetField(country, 'Germany')) await recorder.record(step);
  const { name: label, kind, role, ladder } = region;
  await recordFirstOption(recorder, {
    ...{ key: 'region', label, kind, role, ladder, group: '', placeholder: '', required: true, readOnly: false },
    ...{ value: '', checked: null, options: [], hidden: false },
  });
  expect(recorder.draft.steps.at(-1)).toMatchObject({ do: 'select', options: ['Hesse'] });
  expect(await session.page().locator('#region').inputValue()).toBe('Hesse');
});
