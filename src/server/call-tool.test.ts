import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { bareServices } from '../../test/support/server/bare-services.ts';
import { callTool } from '../tool/call-tool.ts';
import { defineTool, defineTools } from '../tool/tool.ts';
import { localUser } from './auth.ts';
import { createToolContext } from './services.ts';

async function failureOf(run: () => Promise<unknown>, issuer = localUser.issuer) {
  const tool = defineTool({
    ...{ name: 'fail', title: 'Fail', description: 'Fails.', effect: 'read', scope: 'x:read' },
    input: z.object({}),
    output: z.object({}),
    run: async () => {
      await run();
      return {};
    },
  });
  const presentError = ({ message }: { message: string }) => ({ text: message });
  const toolset = defineTools({ name: 'x', title: 'X', summary: 'X.', tools: [tool], presentError });
  const signal = new AbortController().signal;
  const calling = { principal: { ...localUser, issuer }, signal, progress: () => {} };
  const outcome = await callTool(
    toolset,
    tool,
    {},
    createToolContext(bareServices({ loadToolset: async () => toolset }), calling),
  );
  if (outcome.ok) throw new Error('it did not fail');
  return outcome.failure;
}

const missingFile = () => readFile('/assay-test-missing');

test('names the path of a system error to a local caller', async () => {
  expect(await failureOf(missingFile)).toMatchObject({
    code: 'FILE_MISSING',
    message: 'Cannot use /assay-test-missing: no such file or folder. Create it, or correct the path.',
  });
});

test('names no path of the server to a remote caller', async () => {
  expect(await failureOf(missingFile, 'https://issuer.example')).toMatchObject({
    code: 'FILE_MISSING',
    message: 'Cannot use a file or program of the server: no such file or folder. Create it, or correct the path.',
  });
});

test('reports an impossible path and a refused connection as typed failures, and a bug as internal', async () => {
  const below = () => readFile('/dev/null/below');
  expect(await failureOf(below)).toMatchObject({ kind: 'configuration', code: 'IMPOSSIBLE_PATH' });
  const refused = () => new Promise((_resolve, reject) => connect(1, '127.0.0.1').on('error', reject));
  expect(await failureOf(refused)).toMatchObject({ kind: 'unavailable', code: 'NETWORK_ERROR' });
  const defect = async () => {
    throw new TypeError('x is not a function');
  };
  expect(await failureOf(defect)).toMatchObject({ kind: 'internal', code: 'INTERNAL' });
});
