import { expect, test } from 'vitest';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { testPages } from '../../../platform/page/test-support.ts';
import { describeSurroundings } from './surroundings.ts';

const open = testPages();

/** What is kept of a page, by the names of its controls. */
async function keptOf(html: string, answers: Record<string, string> = {}) {
  const reading = await readPage(await open(html));
  const session = { answers: new Map(Object.entries(answers)), secrets: [{ selectors: [], value: 'Rosalind' }] };
  return reading.controls.map((control) => describeSurroundings(control, session, reading).surroundings);
}

const radios = '<label><input type="radio" name="q"> Yes</label><label><input type="radio" name="q"> No</label>';

test('keeps the question of choices, the heading over a field and its hints', async () => {
  const html = `<h2>Home</h2><fieldset><legend>Live alone?</legend>${radios}</fieldset>
    <label for="r">Rent</label><input id="r" placeholder="0.00" aria-describedby="h"><i id="h">per month</i>`;
  expect(await keptOf(html)).toEqual([
    { question: 'Live alone?', heading: 'Home' },
    { name: 'Rent', heading: 'Home', hint: 'per month', placeholder: '0.00' },
  ]);
});

test('leaves out texts that repeat an answer, a secret or an error', async () => {
  const html = `<h2>Rosalind</h2><fieldset><legend>Does Otto live alone? <b role="alert">Choose one</b></legend>${radios}</fieldset>
    <h2>Home</h2><fieldset><legend>Does Otto rent?</legend><label for="r">Rent</label><input id="r"></fieldset>`;
  expect(await keptOf(html, { 'Who lives there?': 'Otto' })).toEqual([undefined, { name: 'Rent', heading: 'Home' }]);
  const wrong = `<fieldset><legend>Live alone? <b role="alert">Choose one</b></legend>${radios}</fieldset>`;
  expect(await keptOf(wrong)).toEqual([undefined]);
});

test('keeps a question that names its own answer', async () => {
  const html = `<h1>Current or future</h1><fieldset><legend>Current or future program?</legend>${radios}</fieldset>`;
  const kept = [{ question: 'Current or future program?', heading: 'Current or future' }];
  expect(await keptOf(html, { 'Current or future program?': 'future' })).toEqual(kept);
});
