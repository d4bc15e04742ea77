import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const stop = new URL('./process-signals.ts', import.meta.url).href;

/** What a process prints that fails like this, and does its work a moment later. */
async function printed(failure: string): Promise<string> {
  const script = `
    import { outliveDefects } from ${JSON.stringify(stop)};
    outliveDefects({ error: ({ err }, words) => console.log(words + ': ' + err.message) });
    setImmediate(() => { ${failure} });
    setTimeout(() => console.log('at work'), 50);`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return (await run.catch((error: { stdout: string }) => error)).stdout;
}

test('what is thrown where nobody can catch it goes to the log, and the work goes on', async () => {
  expect(await printed(`throw new Error('from an event')`)).toBe(
    'something failed where nobody could catch it: from an event\nat work\n',
  );
  expect(await printed(`Promise.reject(new Error('late'))`)).toBe(
    'something failed that nobody waited for: late\nat work\n',
  );
});

test('it ends where nobody reads the log any more', async () => {
  expect(await printed(`throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })`)).toBe('');
});
