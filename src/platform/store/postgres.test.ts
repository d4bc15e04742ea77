import { afterAll, beforeAll, expect, test } from 'vitest';
import { callOn, connectStdio } from '../../../test/support/assay.ts';
import { newFolder } from '../../../test/support/folders.ts';
import { type Postgres, startPostgres } from '../../../test/support/services/postgres.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

test('reports an unreachable database and recovers when it is back', async () => {
  await using folder = await newFolder();
  await using client = await connectStdio('modern', {
    args: ['--toolsets', 'qa'],
    env: { ASSAY_HOME: folder.path, ASSAY_DATABASE_URL: postgres.url },
  });
  const call = callOn(client);
  const { projectId } = await call('qa_project_create', { projectName: 'Shop' });
  await postgres.stop();
  // The first query may fail on its old connection; the second finds no server.
  for (let asked = 0; asked < 3; asked++) {
    const { isError, structuredContent } = await client.callTool({ name: 'qa_project_list', arguments: {} });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      error: 'UPSTREAM_ERROR',
      message: expect.stringMatching(/^Cannot use the database of ASSAY_DATABASE_URL: it cannot be reached.*Try again/),
      details: { reason: 'STORE_UNAVAILABLE', retryable: true },
    });
  }
  await postgres.start();
  expect((await call('qa_project_list')).data).toMatchObject([{ projectId }]);
});
