import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  InputRequiredResult,
  Prompt as ListedPrompt,
  Resource as ListedResource,
  ResourceTemplateType as ListedTemplate,
  Tool as ListedTool,
  ReadResourceResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Logger } from '../platform/log.ts';
import { callTool } from './call.ts';
import type { CatalogPrompt, CatalogResource, CatalogTool } from './catalog.ts';
import { progressReporter } from './progress.ts';
import type { Surface } from './surface.ts';
import type { Attachment, Completer, Principal, Toolset } from './tool.ts';

/** A surface in the protocol's own terms: what a server lists, and what happens when it is asked for. */
export interface Offer {
  instructions: string;
  tools: ReadonlyMap<string, OfferedTool>;
  prompts: ReadonlyMap<string, OfferedPrompt>;
  resources: readonly OfferedResource[];
  explainMissingTool(name: string): string;
}

export interface OfferedTool {
  listing: ListedTool;
  call(args: unknown, context: ServerContext): Promise<CallToolResult | InputRequiredResult>;
}

export interface OfferedPrompt {
  listing: ListedPrompt;
  get(args: Record<string, string>, context: ServerContext): Promise<GetPromptResult | InputRequiredResult>;
  complete(argument: string, typed: string, context: ServerContext): Promise<string[]>;
}

export interface OfferedResource {
  template: ListedTemplate;
  list(context: ServerContext): Promise<ListedResource[]>;
  read(uri: string, variables: Record<string, string>, context: ServerContext): Promise<ReadResourceResult | undefined>;
  complete(variable: string, typed: string, context: ServerContext): Promise<string[]>;
}

/** What every call is given, whoever makes it. */
export interface Services {
  /** The definitions behind the catalog, loaded when one of them is first called. */
  loadToolset(name: string): Promise<Toolset>;
  log: Logger;
  cwd: string;
  /** Aborted when the server shuts down. */
  shutdown: AbortSignal;
  principalOf(context: ServerContext): Principal;
}

export function offerOf(surface: Surface, services: Services): Offer {
  const tools = [...surface.tools.values()].map((tool) => [tool.name, offerTool(tool, services)] as const);
  const prompts = surface.toolsets.flatMap((toolset) =>
    toolset.prompts.map((prompt) => [prompt.name, offerPrompt(toolset.name, prompt, services)] as const),
  );
  return {
    instructions: instructionsFor(surface),
    tools: new Map(tools),
    prompts: new Map(prompts),
    resources: surface.toolsets.flatMap((toolset) =>
      toolset.resources.map((resource) => offerResource(toolset.name, resource, services)),
    ),
    explainMissingTool: surface.explain,
  };
}

function instructionsFor(surface: Surface): string {
  const lines = surface.toolsets.map(({ title, summary }) => `- ${title}: ${summary}`);
  return ['Assay checks the quality of software, with evidence. Toolsets:', ...lines].join('\n');
}

function offerTool(entry: CatalogTool, services: Services): OfferedTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = entry;
  return {
    listing: { name, title, description, inputSchema, outputSchema, annotations },
    async call(args, context) {
      const toolset = await services.loadToolset(entry.toolset);
      const tool = pick(toolset.tools, name);
      const signal = AbortSignal.any([context.mcpReq.signal, services.shutdown]);
      const progress = progressReporter(context);
      const outcome = await callTool(toolset, tool, args, {
        signal,
        progress: progress.report,
        principal: services.principalOf(context),
        log: services.log,
        cwd: services.cwd,
      });
      await progress.settled();
      return outcome.ok ? success(outcome.data, outcome.attachments) : failure(outcome.error);
    },
  };
}

function success(data: Record<string, unknown>, attachments: Attachment[]): CallToolResult {
  return {
    structuredContent: data,
    content: [{ type: 'text', text: JSON.stringify(data) }, ...attachments.map(contentBlock)],
  };
}

function failure({ text, structured }: { text: string; structured?: Record<string, unknown> }): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text }],
    ...(structured && { structuredContent: structured }),
  };
}

function contentBlock(attachment: Attachment): ContentBlock {
  if (attachment.type === 'link') return { ...attachment, type: 'resource_link' };
  const { data, mimeType } = attachment;
  return { type: 'image', data: Buffer.from(data).toString('base64'), mimeType };
}

function offerPrompt(toolset: string, entry: CatalogPrompt, services: Services): OfferedPrompt {
  const { name, title, description, arguments: args } = entry;
  const definition = async () => pick((await services.loadToolset(toolset)).prompts, name);
  return {
    listing: { name, title, description, arguments: args },
    async get(given) {
      const text = (await definition()).write(given);
      return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
    async complete(argument, typed, context) {
      return propose((await definition()).complete, argument, typed, context, services);
    },
  };
}

function offerResource(toolset: string, entry: CatalogResource, services: Services): OfferedResource {
  const { name, title, description, uriTemplate, mimeType } = entry;
  const definition = async () => pick((await services.loadToolset(toolset)).resources, name);
  const caller = (context: ServerContext) => ({ principal: services.principalOf(context) });
  return {
    template: { name, title, description, uriTemplate, mimeType },
    async list(context) {
      const found = await (await definition()).list(caller(context));
      return found.map((resource) => ({ ...resource, mimeType }));
    },
    async read(uri, variables, context) {
      const text = await (await definition()).read(variables, caller(context));
      return text === undefined ? undefined : { contents: [{ uri, mimeType, text }] };
    },
    async complete(variable, typed, context) {
      return propose((await definition()).complete, variable, typed, context, services);
    },
  };
}

async function propose(
  completers: Record<string, Completer>,
  argument: string,
  typed: string,
  context: ServerContext,
  services: Services,
): Promise<string[]> {
  if (!Object.hasOwn(completers, argument)) return [];
  return (
    completers[argument]?.(typed, { cwd: services.cwd, principal: services.principalOf(context) }) ??
    Promise.resolve([])
  );
}

/** The catalog and the definitions come from the same source, so what the catalog lists is there. */
function pick<Item extends { name: string }>(items: readonly Item[], name: string): Item {
  const found = items.find((item) => item.name === name);
  if (!found) throw new Error(`the catalog lists ${name}, but no toolset defines it`);
  return found;
}
