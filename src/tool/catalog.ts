import { readFileSync } from 'node:fs';
import { systemCode } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json.ts';
import type { Effect, PollingRule, Prompt, Resource, StartingQuestion, Tool, ToolDefinitions } from './tool.ts';
import { loadToolset, toolsetNames } from './toolsets.ts';

/** The tools as data: what is listed, documented, tested and turned into flags. */
export interface Catalog {
  toolsets: CatalogToolset[];
}

export interface CatalogToolset {
  name: string;
  title: string;
  summary: string;
  questions: StartingQuestion[];
  polling?: PollingRule;
  tools: CatalogTool[];
  prompts: CatalogPrompt[];
  resources: CatalogResource[];
}

export interface CatalogTool {
  toolset: string;
  name: string;
  title: string;
  description: string;
  effect: Effect;
  scope: string;
  local?: 'files' | 'browsing' | 'programs';
  perHour?: number;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

export interface CatalogPrompt {
  name: string;
  title: string;
  description: string;
  scope: string;
  tools: readonly string[];
  arguments: { name: string; description: string; required: boolean }[];
}

export type CatalogResource = Pick<Resource, 'name' | 'title' | 'description' | 'uriTemplate' | 'mimeType' | 'scope'>;

export interface ObjectSchema extends JsonObject {
  type: 'object';
  properties: JsonObject;
}

/**
 * The release build writes the catalog beside the bundle, so that listing the tools loads none of them. From source it
 * is made from the definitions.
 */
export async function loadCatalog(): Promise<Catalog> {
  try {
    // A read in the background would take longer, because the start waits for it alone.
    return JSON.parse(readFileSync(new URL('./catalog.json', import.meta.url), 'utf8'));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    return describeCatalog();
  }
}

export async function describeCatalog(): Promise<Catalog> {
  return { toolsets: await Promise.all(toolsetNames.map(async (name) => describeToolset(await loadToolset(name)))) };
}

export async function describeToolset(toolset: ToolDefinitions): Promise<CatalogToolset> {
  const { name, title, summary, questions, polling } = toolset;
  return {
    name,
    title,
    summary,
    questions: [...questions],
    ...(polling && { polling }),
    tools: await Promise.all(toolset.tools.map((tool) => describeTool(name, tool))),
    prompts: toolset.prompts.map(describePrompt),
    resources: toolset.resources.map(({ name, title, description, uriTemplate, mimeType, scope }) => ({
      name,
      title,
      description,
      uriTemplate,
      mimeType,
      scope,
    })),
  };
}

async function describeTool(toolset: string, tool: Tool): Promise<CatalogTool> {
  const { objectSchema } = await import('./json-schema.ts');
  const { name, title, description, effect, scope, local, perHour } = tool;
  return {
    toolset,
    name,
    title,
    description,
    effect,
    scope,
    ...(local && { local }),
    ...(perHour !== undefined && { perHour }),
    inputSchema: objectSchema(tool.input, 'input'),
    outputSchema: objectSchema(tool.output, 'output'),
    annotations: {
      title,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destroy',
      idempotentHint: tool.idempotent ?? effect === 'read',
      openWorldHint: tool.openWorld ?? false,
    },
  };
}

function describePrompt(prompt: Prompt): CatalogPrompt {
  const { name, title, description, scope, tools } = prompt;
  return {
    name,
    title,
    description,
    scope,
    tools,
    arguments: Object.entries(prompt.args.shape).map(([argument, schema]) => ({
      name: argument,
      description: ('description' in schema && schema.description) || '',
      required: !schema.safeParse(undefined).success,
    })),
  };
}
