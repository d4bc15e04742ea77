import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { newFolder } from '../../../test/support/folders.ts';
import { createBrowserPool } from './browser-pool.ts';
import { createTraceFolder, removeTraceFolder } from './trace-folder.ts';

test('removes trace folders of killed processes, and keeps those in use', async () => {
  await using home = await newFolder();
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const put = (name: string) => {
    const folder = join(home.path, 'traces', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.trace'), 'secret');
    return folder;
  };
  const left = [put(`${hostname()}-${dead}-1`), put(`${hostname()}-${process.pid}-1`), put('elsewhere-1-1')];
  utimesSync(left[2] ?? '', 0, 0);
  const used = [put(`${hostname()}-${process.ppid}-1`), put('elsewhere-2-1')];
  const first = await createTraceFolder(home.path);
  const second = await createTraceFolder(home.path);
  expect(left.filter((folder) => existsSync(folder))).toEqual([]);
  expect([...used, first, second].filter((folder) => !existsSync(folder))).toEqual([]);
  if (process.platform !== 'win32') expect(statSync(dirname(first)).mode & 0o077).toBe(0);
  removeTraceFolder(first);
  expect([existsSync(first), existsSync(second)]).toEqual([false, true]);
  removeTraceFolder(second);
  expect(readdirSync(join(home.path, 'traces'))).toHaveLength(2);
});

test('creates folders while others are removed', async () => {
  await using home = await newFolder();
  const makeAndRemove = async () => removeTraceFolder(await createTraceFolder(home.path));
  await expect(Promise.all(Array.from({ length: 50 }, makeAndRemove))).resolves.toHaveLength(50);
  expect(readdirSync(join(home.path, 'traces'))).toEqual([]);
});

test('removes a folder once its last writer has ended', async () => {
  await using home = await newFolder();
  const folder = await createTraceFolder(home.path);
  const writing = `const { mkdirSync } = require('node:fs');
    for (let i = 0; i < 50_000; i++) try { mkdirSync('${folder}/' + i); if (i === 500) process.stdout.write('.') } catch { process.exit() }`;
  const writer = spawn(process.execPath, ['-e', writing]);
  await once(writer.stdout, 'data');
  removeTraceFolder(folder);
  writer.kill('SIGKILL');
  await expect.poll(() => readdirSync(join(home.path, 'traces'))).toEqual([]);
});

test('keeps traces only as long as their browser runs', async () => {
  const pool = createBrowserPool({ home: testHome });
  const traces = () => {
    const all = readdirSync(join(testHome, 'traces'), { recursive: true, encoding: 'utf8' });
    return all.filter((name) => name.includes(`-${process.pid}-`) && name.endsWith('.trace'));
  };
  const { context } = await pool.open({ allowedPrivateAddresses: undefined });
  await context.tracing.start({ snapshots: true });
  await expect.poll(traces).toHaveLength(1);
  const name = 'of-its-own';
  const other = await pool.open({ allowedPrivateAddresses: undefined });
  await other.context.tracing.start({ name });
  await other.context.tracing.stop();
  expect(traces().some((path) => path.includes(name))).toBe(true);
  await pool.removeTrace(name);
  expect(traces().some((path) => path.includes(name))).toBe(false);
  expect(traces()).toHaveLength(1);
  await pool.close();
  expect(traces()).toEqual([]);
});
