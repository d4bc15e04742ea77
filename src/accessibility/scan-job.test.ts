import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/folders.ts';
import { idleContext as context } from '../../test/support/jobs/idle-context.ts';
import type { Job } from '../platform/jobs/jobs.ts';
import type { ScanEngine } from './scan-engine.ts';
import { createScanHandler } from './scan-job.ts';
import { createScanId, writeInputs } from './workspace.ts';

const scanId = '0a1b2c3d-0000-4000-8000-000000000000';
const job: Job = {
  id: scanId,
  kind: 'accessibility.scan',
  owner: 'me',
  state: 'running',
  payload: { scanId, auditName: 'a', warnings: [], inside: null },
  progress: null,
  result: null,
  error: undefined,
  attempts: 1,
  isDeadLetter: false,
  redrives: 0,
  parentId: undefined,
  isWaitingForParts: false,
  logFields: {},
  createdAt: 0,
  startedAt: 0,
  endedAt: undefined,
};

/** An engine that runs a script in its own workspace. */
function scripted(root: string, script: string, silentAtMostMs = 60_000): ScanEngine {
  return {
    name: 'cwac',
    workspace: { root },
    operatorWorkspace: { root },
    reason: '',
    maxSilenceMs: silentAtMostMs,
    canResume: false,
    command: (config) => ({
      program: process.execPath,
      args: ['-e', script, config],
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '' },
    }),
  };
}

/** A dead process that was not waited for is still listed, with the state Z. */
const alive = (pid: number) => /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`]).stdout.toString());

test('stops a silent engine and its child processes, and reports why', async () => {
  await using folder = await newFolder();
  const child = "const { pid } = require('child_process').spawn('sleep', ['60']);";
  const script = `${child} require('fs').writeFileSync('child', String(pid)); setInterval(() => {}, 1000)`;
  const handler = createScanHandler(() => scripted(folder.path, script, 3000));
  await mkdir(join(folder.path, 'config'));
  const work = handler(job, context);
  await expect(work).rejects.toThrow('The scan engine printed nothing for');
  const sleeper = Number(await readFile(join(folder.path, 'child'), 'utf8'));
  await expect.poll(() => alive(sleeper)).toBe(false);
});

test('kills processes that an engine leaves running', async () => {
  await using folder = await newFolder();
  const spawned = "require('child_process').spawn('sleep', ['60'], { stdio: 'ignore' })";
  const script = `const c = ${spawned}; require('fs').writeFileSync('child', String(c.pid)); console.error('no'); process.exit(3)`;
  const handler = createScanHandler(() => scripted(folder.path, script));
  await mkdir(join(folder.path, 'config'));
  await expect(handler(job, context)).rejects.toThrow('no');
  const sleeper = Number(await readFile(join(folder.path, 'child'), 'utf8'));
  await expect.poll(() => alive(sleeper)).toBe(false);
});

test.each([
  ['process.exit(3)', 3],
  ["process.kill(process.pid, 'SIGKILL')", -9],
])('records the exit code in the convention of Python: %s', async (script, exitCode) => {
  await using folder = await newFolder();
  await mkdir(join(folder.path, 'config'));
  const noted: unknown[] = [];
  const progress = (value: unknown) => void noted.push(value);
  await expect(createScanHandler(() => scripted(folder.path, script))(job, { ...context, progress })).rejects.toThrow();
  expect(noted.at(-1)).toEqual({ tail: [], exitCode });
});

test('does not restart a scan whose end was recorded but whose result was not stored', async () => {
  await using folder = await newFolder();
  const ours = { base_urls_visit_path: './base_urls/visit/mcp_0a1b2c3d/' };
  await folder.write('results/one/config.json', JSON.stringify(ours));
  const handler = createScanHandler(() => scripted(folder.path, "console.error('begun again'); process.exit(3)"));
  await mkdir(join(folder.path, 'config'));
  await expect(handler(job, context)).rejects.toThrow('begun again');
  await folder.write('results/one/run.json', '{"browser": "b", "ended": "2026-01-01T00:00:00.000Z"}');
  expect(await handler(job, context)).toEqual({ resultsDir: `${join(folder.path, 'results/one')}/`, exitCode: 0 });
});

test('keeps the pid file of an engine that replaced this one', async () => {
  await using folder = await newFolder();
  await mkdir(join(folder.path, 'config'));
  const pidFile = join(folder.path, 'config', 'mcp_0a1b2c3d.json.pid');
  const replaced =
    "fs.existsSync(file) && fs.readFileSync(file, 'utf8') && (fs.writeFileSync(file, '999999'), process.exit(3))";
  const script = `const fs = require('fs'), file = ${JSON.stringify(pidFile)}; setInterval(() => ${replaced}, 10)`;
  await expect(createScanHandler(() => scripted(folder.path, script))(job, context)).rejects.toThrow();
  expect(await readFile(pidFile, 'utf8')).toBe('999999');
});

test('joins output lines that arrive in chunks, and truncates endless lines', async () => {
  await using folder = await newFolder();
  await mkdir(join(folder.path, 'config'));
  const heard: string[] = [];
  const bar = "const bar = Buffer.from('|█|\\n'); process.stdout.write(bar.subarray(0, 2));";
  const rest = "process.stdout.write(bar.subarray(2)); process.stdout.write('x'.repeat(1e6)); process.exitCode = 3";
  const script = `${bar} setTimeout(() => { ${rest} }, 100)`;
  const progress = (value: unknown) => void heard.push(JSON.stringify(value));
  await expect(createScanHandler(() => scripted(folder.path, script))(job, { ...context, progress })).rejects.toThrow();
  expect(heard[0]).toBe('{"tail":["|█|"]}');
  expect(heard.at(-1)?.length).toBeLessThan(10_000);
});

test('creates a scan id with a unique short form', async () => {
  await using folder = await newFolder();
  const workspace = { root: folder.path };
  await mkdir(join(folder.path, 'config'));
  await mkdir(join(folder.path, 'base_urls', 'visit'), { recursive: true });
  await writeInputs(workspace, scanId, {}, [new URL('https://x.nz')]);
  await folder.write('results/old/config.json', '{"base_urls_visit_path": "./base_urls/visit/mcp_99999999/"}');
  const proposed = [`${scanId.slice(0, 8)}-other`, '99999999-other', '12345678-mine'];
  expect(await createScanId(workspace, () => proposed.shift() ?? '')).toBe('12345678-mine');
});

test.each([
  ['the disk is full', 1],
  ['permission denied', 0],
])('keeps the inputs of a failed scan only if it can be resumed: %s', async (why, kept) => {
  await using folder = await newFolder();
  await mkdir(join(folder.path, 'config'));
  await mkdir(join(folder.path, 'base_urls/visit'), { recursive: true });
  await writeInputs({ root: folder.path }, scanId, {}, [new URL('https://a.example/')]);
  const script = `console.log('Error: Cannot write the results: ${why}.'); process.exitCode = 1`;
  const handler = createScanHandler(() => ({ ...scripted(folder.path, script), canResume: true }));
  await expect(handler(job, context)).rejects.toThrow(why);
  expect(await readdir(join(folder.path, 'config'))).toHaveLength(kept);
  expect(await readdir(join(folder.path, 'base_urls/visit'))).toHaveLength(kept);
});

test('kills an engine whose process id cannot be stored', async () => {
  await using folder = await newFolder();
  const note = "require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)";
  const work = createScanHandler(() => scripted(folder.path, note))(job, context);
  await expect(work).rejects.toThrow('Failed to start CWAC process: its process id cannot be stored');
  const pid = Number(await readFile(join(folder.path, 'pid'), 'utf8').catch(() => '0'));
  expect(pid > 0 && alive(pid)).toBe(false);
});
