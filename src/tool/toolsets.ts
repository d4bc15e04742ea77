import { accessibilityToolset } from '../accessibility/toolset.ts';
import { coverageToolset } from '../coverage/toolset.ts';
import type { JobHandler } from '../platform/jobs/job-worker.ts';
import type { PlatformServices } from '../platform/services.ts';
import type { Setting } from '../platform/settings.ts';
import type { Migrations } from '../platform/store/schema.ts';
import { qaToolset } from '../qa/toolset.ts';
import { standardsToolset } from '../standards/toolset.ts';
import { wizardsToolset } from '../wizards/toolset.ts';
import type { ToolDefinitions } from './tool.ts';
import type { Toolset } from './toolset.ts';

/** Every toolset, in the order in which they are listed. A new domain is one more entry. */
export const toolsets: readonly Toolset[] = [
  coverageToolset,
  standardsToolset,
  accessibilityToolset,
  wizardsToolset,
  qaToolset,
];

export const toolsetNames = toolsets.map(({ name }) => name);

export const toolsetSettings: readonly Setting<unknown>[] = toolsets.flatMap(({ settings }) => Object.values(settings));

/** Loads the tools, prompts and resources of a toolset. */
export async function loadToolset(name: string): Promise<ToolDefinitions> {
  const toolset = toolsets.find((candidate) => candidate.name === name);
  if (!toolset) throw new Error(`no toolset ${name}`);
  return toolset.definitions();
}

/** The migrations of all toolsets, for `openStore`. */
export async function loadToolsetMigrations(): Promise<Migrations> {
  const migrations = await Promise.all(toolsets.map((toolset) => toolset.migrations?.() ?? {}));
  return Object.assign({}, ...migrations);
}

/** Every kind of job with its declaration. */
export const jobKinds = new Map(toolsets.flatMap(({ jobHandlers = {} }) => Object.entries(jobHandlers)));

/** A handler for every kind of job. The code behind it is loaded with the first job of its kind. */
export function createJobHandlers(services: PlatformServices): Map<string, JobHandler> {
  return new Map(
    [...jobKinds].map(
      ([kind, { load }]) => [kind, async (job, context) => (await load(services))(job, context)] as const,
    ),
  );
}
