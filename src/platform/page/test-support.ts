import { createServer, type RequestListener } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { createBrowserPool, type OpenContext } from '../browser/browser-pool.ts';

/** A page in one browser for all tests of a file, with the given HTML. */
export function testPages(): (html: string) => Promise<Page> {
  const pool = createBrowserPool({ home: testHome });
  const opened: Promise<OpenContext>[] = [];
  afterAll(() => pool.close());
  return async (html) => {
    opened[0] ??= pool.open({ allowedPrivateAddresses: undefined });
    const { context } = await opened[0];
    const page = await context.newPage();
    await page.setContent(`<!doctype html><html lang="en"><title>Test</title><body>${html}</body></html>`);
    return page;
  };
}

export interface TestServer extends AsyncDisposable {
  url: string;
}

/** A server on a free port of this machine. */
export async function testServer(answer: RequestListener): Promise<TestServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
