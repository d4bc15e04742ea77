import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixtures } from '../../../../test/sites/forms/index.ts';
import { testHome } from '../../../../test/sites/workspace.ts';
import { type Folder, newFolder } from '../../../../test/support/folders.ts';
import { putWizard } from '../../../../test/support/wizards/wizards.ts';
import { type BrowserPool, createBrowserPool } from '../../../platform/browser/browser-pool.ts';
import { openWizardFolder } from '../../files/wizard-folder.ts';
import { executeWizard } from './execute-wizard.ts';
import { createExecutionSlots } from './execution-slots.ts';
import type { ExecutionContext } from './start-run.ts';

let browsers: BrowserPool;
let folder: Folder;
beforeAll(async () => {
  browsers = createBrowserPool({ home: testHome });
  folder = await newFolder();
  await (await browsers.open({ allowedPrivateAddresses: undefined }))[Symbol.asyncDispose]();
});
afterAll(async () => {
  await browsers.close();
  await folder[Symbol.asyncDispose]();
});

function contextWith(more: Partial<ExecutionContext> = {}): ExecutionContext {
  return {
    browsers: async () => browsers,
    slots: createExecutionSlots(),
    allowedAddresses: undefined,
    checkAddress: async () => {},
    runs: openWizardFolder(folder.path).runs,
    signal: new AbortController().signal,
    progress: () => {},
    attachScreenshot: () => '',
    ...more,
  };
}

let wizards = 0;
async function runner(site: string, services: ExecutionContext = contextWith()) {
  const id = `calculator-${++wizards}`;
  await putWizard(folder.path, 'benefit-calculator', site, id);
  const stored = await openWizardFolder(folder.path).read(id);
  const data = fixtures['benefit-calculator'].sets(1)[0]?.data ?? {};
  return (timeout_seconds: number) =>
    executeWizard(services, stored, data, { return_screenshots: false, screenshot_quality: 80, timeout_seconds });
}

test('ends a run within its time limit and leaves nothing in the browser', async () => {
  await using site = await fixtures['benefit-calculator'].start({ trouble: 'hanging' });
  const run = await runner(site.url);
  await expect(run(3)).rejects.toMatchObject({ code: 'timeout', details: { page_number: 1 } });
  expect(browsers.counts().contexts).toBe(0);
});

test('stops the browser when the caller cancels', async () => {
  await using site = await fixtures['benefit-calculator'].start({ trouble: 'hanging' });
  const caller = new AbortController();
  const run = await runner(site.url, contextWith({ signal: caller.signal, progress: () => caller.abort() }));
  await expect(run(60)).rejects.toThrow();
  expect(browsers.counts().contexts).toBe(0);
});

test('reports a crashed browser and starts another for the next run', async () => {
  await using site = await fixtures['benefit-calculator'].start();
  let crashed = false;
  const crashing: BrowserPool = {
    ...browsers,
    async open(requests) {
      const opened = await browsers.open(requests);
      opened.context.once('response', () => {
        crashed = true;
        void opened.context
          .browser()
          ?.newBrowserCDPSession()
          .then((session) => session.send('Browser.crash'))
          .catch(() => {});
      });
      return opened;
    },
  };
  const run = await runner(site.url, contextWith({ browsers: async () => crashing }));
  await expect(run(60)).rejects.toMatchObject({ code: 'browser_error' });
  expect(crashed).toBe(true);
  const next = await runner(site.url);
  expect((await next(60)).status).toBe('success');
});

test('does not delay other runs when one hangs', async () => {
  await using hanging = await fixtures['benefit-calculator'].start({ trouble: 'hanging' });
  await using site = await fixtures['benefit-calculator'].start();
  const services = contextWith();
  const caller = new AbortController();
  const stuck = (await runner(hanging.url, { ...services, signal: caller.signal }))(60);
  const others = await Promise.all([1, 2, 3, 4].map(() => runner(site.url, services)));
  const done = await Promise.all(others.map((run) => run(60)));
  expect(done.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'success']);
  expect(site.records.filter(({ finished }) => finished)).toHaveLength(4);
  caller.abort();
  await expect(stuck).rejects.toThrow();
});
