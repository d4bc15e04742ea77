import { access, constants, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { loadCatalog } from '../mcp/catalog.ts';
import { runProgram } from '../platform/process.ts';
import { readSettings } from '../platform/settings.ts';
import { version } from '../platform/version.ts';
import { type Command, print } from './command.ts';

interface Finding {
  what: string;
  /** `warn`: something is missing that only some tools need. */
  state: 'ok' | 'warn' | 'fail';
  detail: string;
}

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'Check that this machine has what the tools need, and say what to do where it has not.',
  settings: [],
  async run(argv) {
    readSettings(doctor.settings, argv, process.env);
    const findings = await Promise.all([checkNode(), checkCatalog(), checkTemporaryFolder(), checkGit()]);
    for (const { what, state, detail } of findings) await print(`${state.padEnd(4)}  ${what.padEnd(16)}  ${detail}`);
    return findings.some(({ state }) => state === 'fail') ? 1 : 0;
  },
};

async function checkNode(): Promise<Finding> {
  return {
    what: 'Assay on Node',
    state: 'ok',
    detail: `${version} on ${process.version} (${process.platform} ${process.arch})`,
  };
}

async function checkCatalog(): Promise<Finding> {
  const { toolsets } = await loadCatalog();
  const detail = toolsets.map(({ name, tools }) => `${name} (${tools.length})`).join(', ');
  return { what: 'Toolsets', state: 'ok', detail };
}

async function checkTemporaryFolder(): Promise<Finding> {
  const folder = tmpdir();
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    const freeMiB = Math.floor((bavail * bsize) / 2 ** 20);
    const detail = `${folder} has ${freeMiB} MiB free`;
    return freeMiB < 64
      ? { what: 'Temporary folder', state: 'fail', detail: `${detail}: make room, or point TMPDIR elsewhere` }
      : { what: 'Temporary folder', state: 'ok', detail };
  } catch {
    return { what: 'Temporary folder', state: 'fail', detail: `${folder} cannot be written: point TMPDIR elsewhere` };
  }
}

async function checkGit(): Promise<Finding> {
  const fix = 'not found: install git; get_patch_coverage needs it';
  try {
    const { code, stdout } = await runProgram('git', ['--version'], { timeoutMs: 5000 });
    if (code === 0) return { what: 'git', state: 'ok', detail: stdout.toString('utf8').trim() };
  } catch {}
  return { what: 'git', state: 'warn', detail: fix };
}
