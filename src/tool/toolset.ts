import type { JobHandler } from '../platform/jobs/job-worker.ts';
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
  /** Throws a `configuration` failure for settings with which no server may start. */
  checkSettings?(setting: SettingValues['get']): void;
  /** Tables of the domain. The numbers in the names are shared by all toolsets. */
  migrations?(): Promise<Migrations>;
  /** By kind of job, such as `qa.scan`. */
  jobHandlers?: Readonly<Record<string, JobHandlerDeclaration>>;
}

interface JobHandlerDeclaration {
  /** What a machine must have to run such a job. Workers without it leave the job to others. */
  needs: readonly 'browser'[];
  /** Loads the code that runs such a job. */
  load(services: PlatformServices): Promise<JobHandler>;
}
