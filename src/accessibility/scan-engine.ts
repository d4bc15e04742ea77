import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../platform/errors.ts';
import { type Owner, ownerHome } from '../platform/principal.ts';
import { childEnvironment } from '../platform/process/child-environment.ts';
import type { SettingValues } from '../platform/settings.ts';
import { accessibilitySettings } from './settings.ts';
import type { Workspace } from './workspace.ts';

/** A program that takes the name of a config in a workspace, and leaves a folder of results. */
export interface ScanEngine {
  name: 'native' | 'cwac';
  /** Where the inputs and results of the owner's scans lie. */
  workspace: Workspace;
  /** Where the operator keeps the default configuration, for the scans of every owner. */
  operatorWorkspace: Workspace;
  /** Why it was chosen, for people. */
  reason: string;
  /** It prints a line for each page, so one that is silent for so long hangs. */
  maxSilenceMs: number;
  /** It can go on in the folder of results that an earlier run has left. */
  canResume: boolean;
  /** `inside`: the addresses of the inside that may be visited; null for all. CWAC knows no such limits. */
  command(
    config: string,
    resume: string | undefined,
    inside: readonly string[] | null,
  ): { program: string; args: string[]; cwd: string; env: NodeJS.ProcessEnv };
}

interface EngineEnvironment {
  home: string;
  /** For whom it scans. */
  owner: Owner;
  setting: SettingValues['get'];
  /** How this program was started, so that it can start itself as an engine. */
  self: readonly string[];
}

const DEFAULT_CWAC_DIR = '/workspaces/cwac';

/** A CWAC installation where there is one; otherwise, or where the operator wants it, our own engine. */
export function chooseEngine({ home, owner, setting, self }: EngineEnvironment): ScanEngine {
  const wanted = setting(accessibilitySettings.engine);
  const configuredFolder = setting(accessibilitySettings.cwacFolder);
  const folder = configuredFolder ?? DEFAULT_CWAC_DIR;
  const isInstalled = existsSync(join(folder, 'cwac.py'));
  if (wanted === 'cwac' || (wanted !== 'native' && (isInstalled || configuredFolder !== undefined))) {
    if (!isInstalled) throw new Failure('configuration', 'CWAC_MISSING', `CWAC installation not found at ${folder}`);
    return cwacEngine(folder);
  }
  const why =
    wanted === 'native' ? 'ASSAY_ACCESSIBILITY_ENGINE asks for it' : 'no CWAC installation was named or found';
  return nativeEngine({ home, owner, self }, why);
}

function nativeEngine({ home, owner, self }: Omit<EngineEnvironment, 'setting'>, why: string): ScanEngine {
  const root = join(ownerHome(home, owner), 'accessibility');
  return {
    name: 'native',
    workspace: { root },
    operatorWorkspace: { root: join(home, 'accessibility') },
    // Longer than the longest that one page may take, tries and all.
    maxSilenceMs: 15 * 60_000,
    reason: why,
    canResume: true,
    command: (config, resume, inside) => ({
      program: process.execPath,
      args: [...self, 'scan-engine', root, config, ...(resume ? [resume] : [])],
      cwd: root,
      env: {
        ...childEnvironment(),
        ASSAY_HOME: home,
        ...(inside && { ASSAY_SCAN_INSIDE: JSON.stringify(inside) }),
      },
    }),
  };
}

function cwacEngine(root: string): ScanEngine {
  const ownPython = join(root, '.venv', 'bin', 'python');
  return {
    name: 'cwac',
    workspace: { root },
    operatorWorkspace: { root },
    // It shows a bar that moves with each page; its slowest audits take minutes for one.
    maxSilenceMs: 30 * 60_000,
    reason: `there is a CWAC installation at ${root}`,
    canResume: false,
    command: (config) => ({
      program: existsSync(ownPython) ? ownPython : 'python3',
      // Unbuffered, or nothing would be heard of it until it ends.
      args: ['-u', 'cwac.py', config],
      cwd: root,
      env: { ...childEnvironment(), PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8' },
    }),
  };
}
