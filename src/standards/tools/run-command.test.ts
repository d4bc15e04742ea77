import { chmod, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { newFolder } from '../../../test/support/folders.ts';
import { openProject } from '../spec/project.ts';
import { runCommand } from './run-command.ts';

afterEach(() => void vi.unstubAllEnvs());

const contextIn = (cwd: string, signal = new AbortController().signal) => ({ cwd, signal, checkPath: async () => {} });

test('stops a command at its time limit with the programs that it started', async () => {
  await using folder = await newFolder();
  const git = await folder.write('bin/git', `#!/bin/sh\necho $$ >> ${join(folder.path, 'pids')}\nexec sleep 600\n`);
  await chmod(git, 0o755);
  vi.stubEnv('PATH', `${join(folder.path, 'bin')}${delimiter}${process.env['PATH']}`);
  const called = runCommand('caws status', contextIn(folder.path), (within) => openProject(undefined, within), 1);
  await expect(called).rejects.toMatchObject({
    code: 'ETIMEDOUT',
    message: expect.stringMatching(/caws status took longer than 1 second/),
    details: { command: 'caws status' },
  });
  const pids = (await readFile(join(folder.path, 'pids'), 'utf8')).trim().split('\n').map(Number);
  expect(pids.length).toBeGreaterThan(1);
  await eventually(() => {
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });
});

test('does not report cancellation as a time limit', async () => {
  await using folder = await newFolder();
  const controller = new AbortController();
  controller.abort();
  const called = runCommand('caws status', contextIn(folder.path, controller.signal), (within) =>
    openProject(undefined, within),
  );
  await expect(called).rejects.toMatchObject({ name: 'AbortError' });
});
