import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createBrowserPool } from '../../src/platform/browser/browser-pool.ts';
import { testHome } from '../sites/workspace.ts';
import { type CorpusServer, startCorpusServer } from './corpus-server.ts';
import { measureForm, missedBars } from './measure-forms.ts';
import { measureWidgets } from './measure-widgets.ts';
import { testedLibraries } from './tested-libraries.ts';

let server: CorpusServer;
let context: BrowserContext;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-corpus-'));
  const pool = createBrowserPool({ home: testHome });
  const opened = await pool.open({ allowedPrivateAddresses: undefined });
  context = opened.context;
  server = await startCorpusServer(testedLibraries, folder);
  return async () => {
    await opened[Symbol.asyncDispose]();
    await pool.close();
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
});

const withWidgets = testedLibraries.filter(({ widgets }) => widgets.length > 0);

test.each(withWidgets)('values arrive in the widgets of $name', async (library) => {
  const results = await measureWidgets(context, server, library);
  const failed = results.filter(({ isFound, hasArrived }) => !isFound || !hasArrived);
  expect(failed.map(({ widget, result, received }) => ({ widget: widget.name, result, received }))).toEqual([]);
});

const submissions = testedLibraries.flatMap((library) => library.forms.map((form) => ({ library, form })));

describe('what became of a submission is seen', () => {
  test.each(submissions)('$library.name: $form.name', async ({ library, form }) => {
    const result = await measureForm(context, server, library, form);
    expect(missedBars(result), JSON.stringify(result.outcome)).toEqual([]);
  });
});
