import { expect, test } from 'vitest';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { testPages } from '../../../platform/page/test-support.ts';
import { findElement } from '../../replay/steps/find-element.ts';
import { toElementTarget } from './field-steps.ts';
import { withStableLocators } from './stable-locator.ts';

const pageWith = testPages();
const base = '<base href="http://shop.test/">';

/** What is found on the page as it is now, by what was written down before the words of its button changed. */
async function foundAfter(html: string, changed: string): Promise<string | undefined> {
  const page = await pageWith(base + html);
  const reading = await readPage(page);
  const button = reading.controls.find(({ name }) => name === 'Go');
  if (!button) throw new Error('There is no button Go');
  const context = toElementTarget(withStableLocators(button, reading));
  const later = await pageWith(base + changed);
  const found = await findElement(later, context, 1).catch(() => undefined);
  expect(found?.healed ?? true).toBe(true);
  return (await found?.locator.textContent()) ?? undefined;
}

const other = '<form action="/newsletter"><input name="email" aria-label="Email"><button>Subscribe</button></form>';

test.each([
  ['a field', '<form><input name="city" aria-label="City"><button>Go</button></form>'],
  ['where it sends to', '<form method="post" action="/account/logout"><button>Go</button></form>'],
  ['where it sends to, in whole', '<form action="http://shop.test/account/logout"><button>Go</button></form>'],
])('finds a relabelled submit button by %s', async (_, html) => {
  expect(await foundAfter(html + other, html.replace('>Go<', '>Next<') + other)).toBe('Next');
});

test.each([
  ['has a number in its address', '<form action="/orders/12/cancel"><button>Go</button></form>'],
  ['has twins', '<form action="/cart"><button>Go</button></form><form action="/cart"><button>Another</button></form>'],
  [
    'has only a field that another form has',
    `<form action="/9"><input name="email" aria-label="E"><button>Go</button></form>`,
  ],
])('does not guess the submit button of a form that %s', async (_, html) => {
  const later =
    '<form action="/orders/12/cancel"><button>A</button></form><form action="/cart"><button>B</button></form>';
  const fields = '<form action="/8"><input name="email" aria-label="E"><button>C</button></form>';
  expect(await foundAfter(html + other, later + fields)).toBeUndefined();
});

test('adds no stable locator to a button that submits nothing', async () => {
  const html = '<form action="/wizard"><input name="city" aria-label="City"><button type="button">Go</button></form>';
  expect(await foundAfter(html, html.replace('>Go<', '>Next<'))).toBeUndefined();
});
