import { fileURLToPath } from 'node:url';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { testHome } from '../../../../test/sites/workspace.ts';
import { createBrowserPool } from '../../../platform/browser/browser-pool.ts';
import { maskPrivateText } from '../../../platform/page/capture/private-text.ts';
import { buildPagePatterns, createRedactor } from '../../../platform/redaction/redactor.ts';
import { startTraceRecording } from './trace-recording.ts';

const secret = 'pw-Sesame!99';
const browserPool = createBrowserPool({ home: testHome });
afterAll(() => browserPool.close());

test.each([true, false])('redacts secrets in every encoding from a trace (light: %s)', async (light) => {
  await using opened = await browserPool.open({ allowedPrivateAddresses: undefined });
  const { context } = opened;
  const page = await context.newPage();
  const recording = await startTraceRecording(context, { home: testHome, redactor: createRedactor([secret]), light });
  await page.setContent(`<h1>Account</h1><p>Your password is ${secret}</p><input aria-label="Password">`);
  await page.getByLabel('Password').fill(secret);
  // What looks for it before a picture is taken has to know it.
  const { source } = buildPagePatterns([secret]);
  await (await maskPrivateText(page, { source, alone: [] }))[Symbol.asyncDispose]();
  const kept = Object.entries(unzipSync((await recording.stop()) ?? new Uint8Array()));
  const texts = kept.map(([name, data]) => `${name}\n${strFromU8(data)}`).join('\n');
  expect(texts).toMatch(/setContent[\s\S]*fill/);
  expect(texts).not.toMatch(/Sesame/);
});

test.each([true, false])('redacts secrets that a page splits into parts (light: %s)', async (light) => {
  await using opened = await browserPool.open({ allowedPrivateAddresses: undefined });
  const { context } = opened;
  const page = await context.newPage();
  const recording = await startTraceRecording(context, { home: testHome, redactor: createRedactor([secret]), light });
  const letters = [...secret];
  const [each, reversed] = [letters.map((one) => `<b>${one}</b>`).join(''), letters.toReversed().join(' ')];
  await page.goto(`data:text/html,<title>${reversed}</title><p>${each}<p title="${reversed}">Fine</p>`);
  await page.evaluate("for (const { textContent } of document.querySelectorAll('b')) console.warn(textContent)");
  await page.locator('b').first().click();
  const kept = Object.entries(unzipSync((await recording.stop()) ?? new Uint8Array()));
  const texts = kept.map(([name, data]) => `${name}\n${strFromU8(data)}`).join('\n');
  expect(texts).toMatch(/click/);
  const shown = texts.replaceAll(/"(?:B|P)",|\{\}|<\/?\w+>|[^0-9a-z]/gi, '').toLowerCase();
  expect(shown).not.toMatch(/pwsesame99|99emaseswp/);
});

test('returns no trace if it cannot be stored', async () => {
  await using opened = await browserPool.open({ allowedPrivateAddresses: undefined });
  const noFolder = fileURLToPath(import.meta.url);
  const recording = await startTraceRecording(opened.context, {
    home: noFolder,
    redactor: createRedactor([]),
    light: true,
  });
  expect(await recording.stop()).toBeUndefined();
});
