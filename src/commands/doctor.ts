import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { loadCatalog } from '../mcp/catalog.ts';
import { Failure } from '../platform/errors.ts';
import { runProgram } from '../platform/process.ts';
import { type Given, readSettings, type Setting, settings } from '../platform/settings.ts';
import { version } from '../platform/version.ts';
import { type Command, print } from './command.ts';
import { surfaceOf } from './surface.ts';

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
  settings: [settings.home],
  async run(argv) {
    const given = readSettings(doctor.settings, argv, process.env);
    const home = given.get(settings.home);
    const findings = await Promise.all([
      checkNode(),
      checkSettings(given),
      checkCatalog(),
      checkFolder('Home folder', home, 'ASSAY_HOME'),
      checkFolder('Temporary folder', tmpdir(), 'TMPDIR'),
      checkGit(),
      checkBrowser(home),
      checkEngine(home),
      checkDelivery(),
    ]);
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

/** Every setting that the environment gives, as `assay serve` would read it. */
async function checkSettings(given: Given): Promise<Finding> {
  const all: Setting<unknown>[] = Object.values(settings);
  try {
    const present = all.filter((setting) => {
      given.get(setting);
      return process.env[setting.env] !== undefined;
    });
    await surfaceOf(given);
    return {
      what: 'Settings',
      state: 'ok',
      detail: present.map(({ env }) => env).join(', ') || 'all at their defaults',
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { what: 'Settings', state: 'fail', detail: error.message };
  }
}

async function checkCatalog(): Promise<Finding> {
  const { toolsets } = await loadCatalog();
  const detail = toolsets.map(({ name, tools }) => `${name} (${tools.length})`).join(', ');
  return { what: 'Toolsets', state: 'ok', detail };
}

async function checkFolder(what: string, folder: string, variable: string): Promise<Finding> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    const freeMiB = Math.floor((bavail * bsize) / 2 ** 20);
    const detail = `${folder} has ${freeMiB} MiB free`;
    return freeMiB < 64
      ? { what, state: 'fail', detail: `${detail}: make room, or point ${variable} elsewhere` }
      : { what, state: 'ok', detail };
  } catch {
    return { what, state: 'fail', detail: `${folder} cannot be written: point ${variable} elsewhere` };
  }
}

/** Found is not enough: it must start and show a page. */
async function checkBrowser(home: string): Promise<Finding> {
  const { findBrowser } = await import('../platform/browser/find.ts');
  const { launchBrowser } = await import('../platform/browser/launch.ts');
  try {
    const found = await findBrowser({ env: process.env, home });
    const browser = await launchBrowser({ home });
    const page = await browser.newPage();
    await page.setContent('<h1>ready</h1>');
    const text = await page.locator('h1').textContent();
    await browser.close();
    if (text !== 'ready') throw new Failure('unavailable', 'BROWSER_BROKEN', 'It starts, but shows no page.');
    return { what: 'Browser', state: 'ok', detail: `Chromium ${browser.version()}, ${found?.source}: ${found?.path}` };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { what: 'Browser', state: 'warn', detail: error.message };
  }
}

async function checkEngine(home: string): Promise<Finding> {
  const { chooseEngine } = await import('../accessibility/index.ts');
  try {
    const { name, why } = chooseEngine({ home, env: process.env, self: [] });
    return { what: 'Accessibility', state: 'ok', detail: `the ${name} engine scans: ${why}` };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { what: 'Accessibility', state: 'warn', detail: error.message };
  }
}

/** Reports go by webhook always; mails and short messages need the operator. */
async function checkDelivery(): Promise<Finding> {
  const { deliveryWays } = await import('../qa/index.ts');
  const what = 'QA reports';
  const { ways, problems } = await deliveryWays(process.env);
  if (problems.length > 0) return { what, state: 'fail', detail: problems.join(' ') };
  const missing = ['email', 'sms'].filter((way) => !ways.includes(way));
  const rest = missing.length > 0 ? `; not configured: ${missing.join(', ')} (docs/qa-reports.md)` : '';
  return { what, state: 'ok', detail: `${ways.join(', ')}${rest}` };
}

async function checkGit(): Promise<Finding> {
  const fix = 'not found: install git; get_patch_coverage needs it';
  try {
    const { code, stdout } = await runProgram('git', ['--version'], { timeoutMs: 5000 });
    if (code === 0) return { what: 'git', state: 'ok', detail: stdout.toString('utf8').trim() };
  } catch {}
  return { what: 'git', state: 'warn', detail: fix };
}
