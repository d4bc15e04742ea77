import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const stop = new URL('./process-signals.ts', import.meta.url).href;

/** What a process prints that fails like this, and does its work a moment later. */
async function printed(failure: string): Promise<string> {
  const script = `
    import { logUncaughtErrors } from ${JSON.stringify(stop)};
    logUncaughtErrors({ error: ({ err }, words) => console.log(words + ': ' + err.message) });
    setImmediate(() => { ${failure} });
    setTimeout(() => console.log('at work'), 50);`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return (await run.catch((error: { stdout: string }) => error)).stdout;
}

test('logs uncaught errors and keeps the process running', async () => {
  expect(await printed(`throw new Error('from an event')`)).toBe('uncaught exception: from an event\nat work\n');
  expect(await printed(`Promise.reject(new Error('late'))`)).toBe('unhandled rejection: late\nat work\n');
});

test('exits when the log pipe is closed', async () => {
  expect(await printed(`throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })`)).toBe('');
});
