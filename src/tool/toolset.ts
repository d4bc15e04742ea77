import type { JobHandler } from '../platform/jobs/job-worker.ts';
import type { Principal } from '../platform/principal.ts';
import type { PlatformServices } from '../platform/services.ts';
import type { Setting, SettingValues } from '../platform/settings.ts';
import type { Migrations } from '../platform/store/schema.ts';
import type { ToolDefinitions } from './tool.ts';

/**
 * Everything that a domain contributes; it stands in `src/<domain>/toolset.ts` and is listed in `toolsets.ts`. Every process
 * imports it at start-up, so all but names and settings is behind a function that loads it.
 */
export interface Toolset {
  name: string;
  definitions(): Promise<ToolDefinitions>;
  settings: Readonly<Record<string, Setting<unknown>>>;
  /** Programs of the machine that `all` (or the main) or only `some` tools cannot work without; `assay doctor` looks for them. */
  needs?: Partial<Record<MachineProgram, 'all' | 'some'>>;
  /** What `assay doctor` reports about the settings of the domain. */
  checkMachine?(machine: CheckedMachine): Promise<MachineCheck>;
  /** Throws a `configuration` failure for settings with which no server may start. */
  checkSettings?(setting: SettingValues['get']): void;
  /** Tables of the domain. The numbers in the names are shared by all toolsets. */
  migrations?(): Promise<Migrations>;
  /** By kind of job, such as `qa.scan`. */
  jobHandlers?: Readonly<Record<string, JobHandlerDeclaration>>;
}

export type MachineProgram = 'browser' | 'git';

interface CheckedMachine {
  home: string;
  /** The user of the machine. */
  owner: Principal;
  setting: SettingValues['get'];
}

/** One line of `assay doctor`. */
export interface MachineCheck {
  what: string;
  /** `warn`: a part is missing that only some tools of a toolset need. `fail`: a served toolset cannot work. */
  state: 'ok' | 'warn' | 'fail';
  detail: string;
}

interface JobHandlerDeclaration {
  /** What a machine must have to run such a job. Workers without it leave the job to others. */
  needs: readonly MachineProgram[];
  /** Loads the code that runs such a job. */
  load(services: PlatformServices): Promise<JobHandler>;
}
