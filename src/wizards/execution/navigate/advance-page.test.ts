import { expect, test } from 'vitest';
import { testPages } from '../../../platform/page/test-support.ts';
import { runUntilSettled } from './advance-page.ts';

const open = testPages();

test('waits for the end of the click on a page that advanced during it', async () => {
  const page = await open('<h1>Next page</h1>');
  const click = Promise.withResolvers<void>();
  const order: string[] = [];
  const run = {
    page: () => page,
    signal: new AbortController().signal,
    remainingMs: () => 20_000,
    isHangingRequest: () => false,
  };
  const arriving = runUntilSettled(run, () => click.promise, { waitUntilThere: async () => true });
  void arriving.then(() => order.push('next page is filled'));
  await page.evaluate(() => document.title);
  order.push('click ended');
  click.resolve();
  expect(await arriving).toBe(true);
  await arriving;
  expect(order).toEqual(['click ended', 'next page is filled']);
});
