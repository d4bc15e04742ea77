import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  type InputRequiredResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ServerContext,
  type ServerOptions,
  UriTemplate,
} from '@modelcontextprotocol/server';
import { toEnvironmentFailure } from '../platform/environment-failure.ts';
import type { Logger } from '../platform/log.ts';
import { cleanText } from '../platform/text/untrusted-text.ts';
import { version } from '../platform/version.ts';
import { getCaller } from './auth.ts';
import { hasScope } from './scopes.ts';
import type { ServedSurface } from './served-surface.ts';

const LISTS_ARE_FRESH_FOR_MS = 300_000;
const MOST_COMPLETIONS = 100;
export const LONGEST_URI = 8192;
/** What is offered never changes while the server runs. */
const CAPABILITIES = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false },
  completions: {},
};

/**
 * Clients of the 2025 protocol hold whatever is structured against the tool's output schema, an error too, and show nothing
 * but the mismatch. The text of an error has the same facts.
 */
function forOlderClients(result: CallToolResult | InputRequiredResult): CallToolResult | InputRequiredResult {
  if (!('content' in result && result.isError)) return result;
  const { structuredContent: _, ...others } = result;
  return others;
}

/** Knows which calls are still worked on, whether or not anybody waits for them. */
export interface CallTracker {
  working<Result>(request: Request | undefined, work: () => Promise<Result>): Promise<Result>;
}

const untracked: CallTracker = { working: (_request, work) => work() };

/**
 * One MCP server for both protocol eras. Over HTTP it is made anew for each request, so it does as little as possible:
 * the handlers share the surface, and nothing is converted or registered here.
 */
export function createMcpServer(
  surface: ServedSurface,
  log: Logger,
  options: ServerOptions = {},
  tracker: CallTracker = untracked,
): McpServer {
  const listsAreFresh = { ttlMs: LISTS_ARE_FRESH_FOR_MS, cacheScope: 'private' } as const;
  const mcp = new McpServer(
    { name: 'assay', title: 'Assay', version },
    {
      ...options,
      instructions: surface.instructions,
      capabilities: { ...CAPABILITIES, ...options.capabilities },
      cacheHints: {
        'server/discover': listsAreFresh,
        'tools/list': listsAreFresh,
        'prompts/list': listsAreFresh,
        'resources/templates/list': listsAreFresh,
      },
    },
  );
  const { server } = mcp;
  const guarded = <Result>(work: () => Promise<Result>) => withProtocolErrors(work, log);
  const resources = surface.resources.map((resource) => ({
    ...resource,
    match: (uri: string) => matchTemplate(new UriTemplate(resource.template.uriTemplate), uri),
  }));

  server.setRequestHandler('tools/list', (_request, context) => ({
    tools: [...surface.tools.values()].filter(allowed(context)).map(({ listing }) => listing),
  }));
  server.setRequestHandler('tools/call', (request, context) => {
    const { name, arguments: args = {} } = request.params;
    const tool = surface.tools.get(name);
    if (!tool || !allowed(context)(tool))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, surface.explainMissingTool(name));
    return guarded(async () => {
      const result = await tracker.working(context.http?.req, () => tool.call(args, context));
      return context.mcpReq.envelope ? result : forOlderClients(result);
    });
  });

  server.setRequestHandler('prompts/list', (_request, context) => ({
    prompts: [...surface.prompts.values()].filter(allowed(context)).map(({ listing }) => listing),
  }));
  server.setRequestHandler('prompts/get', (request, context) =>
    guarded(() => findPrompt(surface, request.params.name, context).get(request.params.arguments ?? {}, context)),
  );

  server.setRequestHandler('resources/templates/list', (_request, context) => ({
    resourceTemplates: resources.filter(allowed(context)).map(({ template }) => template),
  }));
  server.setRequestHandler('resources/list', (_request, context) =>
    guarded(async () => {
      const listed = resources.filter(allowed(context)).map(({ list }) =>
        // What one of them lists from cannot be read for now: the others are listed all the same.
        list(context).catch((error: unknown) => {
          log.warn({ err: error }, 'a list of resources is left out');
          return [];
        }),
      );
      const lists = await Promise.all(listed);
      return { resources: lists.flat() };
    }),
  );
  server.setRequestHandler('resources/read', (request, context) =>
    guarded(async () => {
      const { uri } = request.params;
      if (uri.length > LONGEST_URI) throw new ResourceNotFoundError(`${uri.slice(0, 100)}…`);
      for (const { match, read } of resources.filter(allowed(context))) {
        const variables = match(uri);
        const found = variables && (await read(uri, variables, context));
        if (found) return found;
      }
      throw new ResourceNotFoundError(uri);
    }),
  );

  server.setRequestHandler('completion/complete', (request, context) =>
    guarded(async () => {
      const { ref, argument } = request.params;
      const found = await completer(ref, context)(argument.name, argument.value, context);
      const values = found.slice(0, MOST_COMPLETIONS);
      return { completion: { values, total: found.length, hasMore: found.length > values.length } };
    }),
  );

  function completer(
    ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
    context: ServerContext,
  ): CompleteArgument {
    if (ref.type === 'ref/prompt') return findPrompt(surface, ref.name, context).complete;
    const resource = resources.filter(allowed(context)).find(({ template }) => template.uriTemplate === ref.uri);
    if (!resource) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No resource template ${ref.uri}.`);
    return resource.complete;
  }

  return mcp;
}

/** What a caller may see: the door has already refused to use the rest. */
const allowed = (context: ServerContext) => {
  const { scopes } = getCaller(context);
  return ({ scope }: { scope?: string }) => scope === undefined || hasScope(scopes, scope);
};

type CompleteArgument = (name: string, typed: string, context: ServerContext) => Promise<string[]>;

function findPrompt(surface: ServedSurface, name: string, context: ServerContext) {
  const prompt = surface.prompts.get(name);
  if (prompt && allowed(context)(prompt)) return prompt;
  const mayUse = [...surface.prompts.values()].filter(allowed(context));
  const known = mayUse.map(({ listing }) => listing.name).join(', ') || 'none';
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Prompt ${JSON.stringify(name)} not found; there are: ${known}.`,
  );
}

function matchTemplate(template: UriTemplate, uri: string): Record<string, string> | undefined {
  const matched = template.match(uri);
  if (!matched) return undefined;
  return Object.fromEntries(Object.entries(matched).map(([key, value]) => [key, String(value)]));
}

/** Outside of tools there is no error result: a failure is the protocol's error, a bug is an id. */
async function withProtocolErrors<Result>(work: () => Promise<Result>, log: Logger): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const failure = toEnvironmentFailure(error);
    if (failure) throw new ProtocolError(ProtocolErrorCode.InvalidParams, cleanText(failure.remoteMessage));
    const id = randomUUID();
    log.error({ err: error, errorId: id }, 'a request failed in a way nobody planned for');
    throw new ProtocolError(ProtocolErrorCode.InternalError, `Internal error ${id}.`);
  }
}
