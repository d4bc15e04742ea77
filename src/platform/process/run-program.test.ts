import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ProgramLimitError, runProgram } from './run-program.ts';

/** Command lines of running processes that hold a text. */
const running = (text: string) =>
  execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('Z'));

/** A shell that starts three programs, one of them in a session of its own, and waits for them. */
const tree = (mark: string) => {
  const sleep = `sh -c 'sleep 300; : ${mark}'`;
  return ['-c', `${sleep} & setsid ${sleep} & ${sleep} & wait; : ${mark}`];
};
const isWhole = (mark: string) => expect.poll(() => running(mark).length).toBeGreaterThanOrEqual(4);

test('returns what a program printed and its exit code', async () => {
  const finished = await runProgram('sh', ['-c', 'echo out; echo err >&2; exit 3']);
  expect(finished).toEqual({ code: 3, stdout: Buffer.from('out\n'), stderr: 'err\n' });
});

test('rejects with the system error for a program that does not exist', async () => {
  await expect(runProgram('/nowhere/program', [])).rejects.toMatchObject({ code: 'ENOENT' });
});

test('starts nothing when it is cancelled before', async () => {
  const mark = randomUUID();
  await expect(runProgram('sh', tree(mark), { signal: AbortSignal.abort('no') })).rejects.toBe('no');
  expect(running(mark)).toEqual([]);
});

test('ends the whole process tree when it is cancelled', async () => {
  const mark = randomUUID();
  const cancelled = new AbortController();
  const run = runProgram('sh', tree(mark), { signal: cancelled.signal });
  const failed = expect(run).rejects.toThrow('cancelled');
  await isWhole(mark);
  cancelled.abort(new Error('cancelled'));
  await failed;
  expect(running(mark)).toEqual([]);
});

test('ends the whole process tree at the time limit', async () => {
  const mark = randomUUID();
  const run = runProgram('sh', tree(mark), { timeoutMs: 2000 });
  await expect(run).rejects.toMatchObject({ limit: 'time', message: 'sh took longer than 2000 ms' });
  expect(running(mark)).toEqual([]);
});

test('ends the whole process tree at the output limit', async () => {
  const mark = randomUUID();
  const [, script = ''] = tree(mark);
  const run = runProgram('sh', ['-c', `yes & ${script}`], { maxOutputBytes: 1000 });
  await expect(run).rejects.toBeInstanceOf(ProgramLimitError);
  expect(running(mark)).toEqual([]);
});

test('ends a program that a finished one left behind with its output open', async () => {
  const mark = randomUUID();
  const run = runProgram('sh', ['-c', `sh -c 'sleep 300; : ${mark}' & exit 0`], { timeoutMs: 2000 });
  await expect(run).rejects.toMatchObject({ limit: 'time' });
  expect(running(mark)).toEqual([]);
});

test('ends the whole process tree at the memory limit', async () => {
  const mark = randomUUID();
  const grow = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(2 ** 24, 1)), 5)';
  const start = `require('child_process').spawn('sh', ['-c', 'sleep 300; : ${mark}'])`;
  const run = runProgram(process.execPath, ['-e', `${start}; ${grow}`], { maxMemoryBytes: 256 * 1024 * 1024 });
  await expect(run).rejects.toMatchObject({ limit: 'memory' });
  expect(running(mark)).toEqual([]);
});
