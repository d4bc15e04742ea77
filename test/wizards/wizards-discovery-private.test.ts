import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedSite, serveSite } from '../sites/serve.ts';
import { type Connection, callOn, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { containsValue, readAllFiles, wizardEnvironment } from '../support/wizards/wizards.ts';

const page = `<!doctype html><html lang="en"><title>Apply</title><h1>Apply</h1><form action="/done">
  <p><label>Full name <input name="n" id="n"></label></p>
  <p><label>How to reach you <input type="email" name="e" id="e"></label></p>
  <p><label>Favourite colour <input name="c" id="c"></label></p>
  <p><label>Monthly income <input name="i" id="i" inputmode="numeric"></label></p>
  <p id="say" style="font:16px monospace"></p><button>Continue</button></form>
  <script>n.addEventListener('input', () => { say.textContent = 'Hello ' + n.value; });</script></html>`;

let folder: Folder;
let client: Connection;
let site: ServedSite;
beforeAll(async () => {
  folder = await newFolder();
  client = await connectStdio('modern', {
    args: ['--toolsets', 'wizards', '--screenshots', 'inline'],
    env: await wizardEnvironment(folder),
  });
  site = await serveSite((path) =>
    path.startsWith('/done')
      ? {
          body: `<!doctype html><html lang="en"><title>Done</title><h1>Done</h1><p>Grant: 42</p><input readonly value="${new URL(path, 'http://x').searchParams.get('n')}"></html>`,
        }
      : { body: page },
  );
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Discovers the form with private data; returns all responses, and the screenshots separately. */
async function discover(name: string, email: string, wizard_id: string): Promise<{ results: Result; shots: string[] }> {
  const ask = callOn(client);
  const { session_id, ...first } = await ask('federalscout_start_discovery', { url: `${site.url}/` });
  const actions = [
    { action: 'fill', selector: '#n', value: name },
    { action: 'fill', selector: '#e', value: email },
    { action: 'fill', selector: '#c', value: 'Turquoise' },
    { action: 'fill', selector: '#i', value: '73164905' },
  ];
  const filled = await ask('federalscout_execute_actions', { session_id, actions });
  const info = await ask('federalscout_get_page_info', { session_id });
  await ask('federalscout_save_page_metadata', { session_id, page_metadata: info.proposed_page_metadata });
  const left = await ask('federalscout_click_element', { session_id, selector: 'Continue' });
  const completed = await ask('federalscout_complete_discovery', { session_id, wizard_name: 'Apply', wizard_id });
  const shots = [first, filled, info, left].map(({ screenshot }) => screenshot);
  const results = [filled, info, left].map(({ screenshot: _, ...rest }) => rest);
  return { results: { answers: results, info, completed }, shots };
}

test('keeps values of private fields out of screenshots, responses, files and examples', async () => {
  const one = await discover('Zebulon Quack', 'zq.4711@private.example', 'apply');
  const said = JSON.stringify(one.results.answers);
  const typed = ['Zebulon', 'Quack', 'zq.4711', '73164905'];
  for (const value of typed) expect(containsValue(said, value), value).toBe(false);
  expect(said).toContain('Turquoise');
  const { fields } = one.results.info.proposed_page_metadata;
  expect(fields).toMatchObject([
    { field_id: 'full_name', private: true, example_value: 'Alex Example' },
    { field_id: 'how_to_reach_you', private: true, example_value: 'person@example.org' },
    { field_id: 'favourite_colour', example_value: 'Turquoise' },
    { field_id: 'monthly_income', private: true, example_value: '10000' },
  ]);
  expect(one.results.info.elements.inputs.map(({ value }: Result) => value)).toEqual([
    '[private]',
    '[private]',
    'Turquoise',
    '[private]',
  ]);
  for (const [path, content] of await readAllFiles(join(folder.path, 'home')))
    for (const value of typed) expect(containsValue(content, value), `${value} in ${path}`).toBe(false);
  // Values of equal length leave masks of equal size.
  const other = await discover('Zebulon Duack', 'zq.4712@private.example', 'apply-again');
  expect(other.shots).toEqual(one.shots);
});
