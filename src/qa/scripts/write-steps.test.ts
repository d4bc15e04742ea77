import { afterAll, expect, test } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { createBrowserRoom } from '../../platform/browser/room.ts';
import { readPage } from '../../platform/page/read.ts';
import { testServer } from '../../platform/page/test-support.ts';
import { validValue } from '../cases/values.ts';
import { perform } from '../replay/perform.ts';
import { newMeter, openStage } from '../replay/stage.ts';
import { factsOf, stepsToSet } from './write-steps.ts';

const room = createBrowserRoom({ home: testHome });
afterAll(() => room.close());

const drawn = `<span id="l">Size</span><button role="combobox" aria-labelledby="l" aria-haspopup="listbox" aria-expanded="false"
  onclick="this.nextElementSibling.hidden = false">Choose</button>
<ul role="listbox" aria-label="Sizes" hidden onclick="document.querySelector('button').textContent = event.target.textContent; this.hidden = true">
<li role="option">Small</li><li role="option">Large</li></ul>`;
const proposing = `<label>Town <input name="town" list="towns"></label><datalist id="towns"><option value="Leeds"><option value="York"></datalist>`;

async function after(html: string, value?: string): Promise<string> {
  await using site = await testServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>T</title>${html}`),
  );
  const wishes = { browsers: async () => room, inside: undefined, secret: () => '', meter: newMeter() };
  await using stage = await openStage({ ...wishes, baseUrl: site.url });
  await perform(stage, { do: 'goto', url: '/' });
  const { controls } = await readPage(stage.page());
  const [control] = controls;
  if (!control) throw new Error('no control');
  const wanted = value ?? validValue(factsOf(control)) ?? '';
  for (const step of stepsToSet(control, wanted)) await perform(stage, step);
  return stage.page().evaluate(() => {
    const [field] = document.querySelectorAll('input, button');
    return field instanceof HTMLInputElement ? field.value : (field?.textContent ?? '');
  });
}

test('a list that the page draws itself is opened, and its option clicked', async () => {
  expect(await after(drawn, 'Large')).toBe('Large');
});

test('a field that proposes gets what it proposes', async () => {
  expect(await after(proposing)).toBe('Leeds');
});
