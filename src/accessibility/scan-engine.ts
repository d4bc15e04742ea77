import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../platform/errors.ts';
import { type Owner, ownerHome } from '../platform/principal.ts';
import { childEnvironment } from '../platform/process/child-environment.ts';
import type { SettingValues } from '../platform/settings.ts';
import { accessibilitySettings } from './settings.ts';
import type { Workspace } from './workspace.ts';

/** A program that reads a config of a workspace and writes a results folder. */
export interface ScanEngine {
  name: 'native' | 'cwac';
  /** Workspace with the inputs and results of the owner's scans. */
  workspace: Workspace;
  /** Workspace with the operator's default configuration, which applies to every owner. */
  operatorWorkspace: Workspace;
  /** Why this engine was chosen, for display. */
  reason: string;
  /** An engine prints a line per page; one that prints nothing for this time hangs. */
  maxSilenceMs: number;
  /** It can resume a scan in the results folder of an earlier run. */
  canResume: boolean;
  /** `inside`: private addresses that may be visited; null allows all. CWAC does not support this limit. */
  command(
    config: string,
    resume: string | undefined,
    inside: readonly string[] | null,
    /** Visit only the pages of the slice in this folder, and write the results there. */
    sliceFolder?: string,
  ): { program: string; args: string[]; cwd: string; env: NodeJS.ProcessEnv };
}

interface EngineEnvironment {
  home: string;
  /** Owner of the scans. */
  owner: Owner;
  setting: SettingValues['get'];
  /** Arguments that start this program, so that it can start itself as an engine. */
  self: readonly string[];
}

const DEFAULT_CWAC_DIR = '/workspaces/cwac';

/** Chooses CWAC when it is installed or requested, otherwise the native engine. Throws CWAC_MISSING when a requested CWAC is not found. */
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
    wanted === 'native' ? 'ASSAY_ACCESSIBILITY_ENGINE is native' : 'no CWAC installation is configured or found';
  return nativeEngine({ home, owner, self }, why);
}

/** For `assay doctor`: which engine scans, or why none does. */
export async function checkScanEngine(machine: Omit<EngineEnvironment, 'self'>) {
  const what = 'Accessibility';
  try {
    const { name, reason } = chooseEngine({ ...machine, self: [] });
    return { what, state: 'ok' as const, detail: `the ${name} engine scans: ${reason}` };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { what, state: 'warn' as const, detail: error.message };
  }
}

export function nativeEngine(
  { home, owner, self }: Omit<EngineEnvironment, 'setting'>,
  why: string,
  root = join(ownerHome(home, owner), 'accessibility'),
): ScanEngine {
  return {
    name: 'native',
    workspace: { root },
    operatorWorkspace: { root: join(home, 'accessibility') },
    // Longer than one page may take, including retries.
    maxSilenceMs: 15 * 60_000,
    reason: why,
    canResume: true,
    command: (config, resume, inside, sliceFolder) => ({
      program: process.execPath,
      args: [...self, 'scan-engine', root, config, ...(resume ? [resume] : [])],
      cwd: root,
      env: {
        ...childEnvironment(),
        ASSAY_HOME: home,
        ...(inside && { ASSAY_SCAN_INSIDE: JSON.stringify(inside) }),
        ...(sliceFolder !== undefined && { ASSAY_SCAN_SLICE: sliceFolder }),
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
    // Its progress bar moves once per page, and its slowest audits take minutes per page.
    maxSilenceMs: 30 * 60_000,
    reason: `CWAC is installed at ${root}`,
    canResume: false,
    command: (config) => ({
      program: existsSync(ownPython) ? ownPython : 'python3',
      // Without -u Python buffers its output until it exits.
      args: ['-u', 'cwac.py', config],
      cwd: root,
      env: { ...childEnvironment(), PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8' },
    }),
  };
}
