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
import * as z from 'zod';
import { toEnvironmentFailure } from '../platform/environment-failure.ts';
import type { Logger } from '../platform/log.ts';
import { cleanText } from '../platform/text/untrusted-text.ts';
import { version } from '../platform/version.ts';
import { type AuditSubject, logCall, UNKNOWN_NAME } from '../tool/audit.ts';
import { getCaller } from './auth.ts';
import { hasScope } from './scopes.ts';
import type { ServedSurface, ServedTool } from './served-surface.ts';

const LISTS_ARE_FRESH_FOR_MS = 300_000;
const MOST_COMPLETIONS = 100;
/** Characters of a name or URI that a refusal quotes. */
const MOST_QUOTED = 200;
/** SEP-2640. */
const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';
const listSkillsParams = z.object({ cursor: z.string().optional() });
const getSkillParams = z.object({ uri: z.string() });
/** The lists never change while the server runs. */
const CAPABILITIES = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false },
  completions: {},
  extensions: { [SKILLS_EXTENSION]: {} },
};

/**
 * Removes structured content from errors. Clients of the 2025 protocol validate it against the tool's output schema, errors
 * too, and show only the mismatch. The text of an error has the same data.
 */
function forOlderClients(result: CallToolResult | InputRequiredResult): CallToolResult | InputRequiredResult {
  if (!('content' in result && result.isError)) return result;
  const { structuredContent: _, ...others } = result;
  return others;
}

/** Tracks running calls, also those whose caller has disconnected. */
export interface CallTracker {
  working<Result>(request: Request | undefined, work: () => Promise<Result>): Promise<Result>;
}

const untracked: CallTracker = { working: (_request, work) => work() };

/**
 * Creates an MCP server for both protocol eras. Over HTTP each request gets a new one, so creation must be cheap: the
 * handlers share the served surface, and nothing is converted or registered here.
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
  const freshness = (context: ServerContext) => (context.mcpReq.envelope ? listsAreFresh : {});
  const guarded = <Result>(work: () => Promise<Result>) => withProtocolErrors(work, log);
  const resources = surface.resources.map((resource) => ({
    ...resource,
    match: (uri: string) => matchTemplate(new UriTemplate(resource.template.uriTemplate), uri),
  }));

  server.setRequestHandler('tools/list', (_request, context) => ({
    tools: [...surface.tools.values()]
      .filter(isListed)
      .filter(allowed(context))
      .map(({ listing }) => listing),
  }));
  server.setRequestHandler('tools/call', (request, context) => {
    const { name, arguments: args = {} } = request.params;
    const tool = surface.tools.get(name);
    if (!tool || !allowed(context)(tool)) {
      logUnknown(log, context, { tool: 'unknown' });
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, surface.explainMissingTool(name));
    }
    return guarded(async () => {
      const result = await tracker.working(context.http?.req, () => tool.call(args, context));
      return context.mcpReq.envelope ? result : forOlderClients(result);
    });
  });

  server.setRequestHandler('prompts/list', (_request, context) => ({
    prompts: [...surface.prompts.values()].filter(allowed(context)).map(({ listing }) => listing),
  }));
  server.setRequestHandler('prompts/get', (request, context) =>
    guarded(() => {
      const { name, arguments: args = {} } = request.params;
      if (!surface.prompts.has(name)) logUnknown(log, context, { prompt: 'unknown' });
      return findPrompt(surface, name, context).get(args, context);
    }),
  );

  server.setRequestHandler('resources/templates/list', (_request, context) => ({
    resourceTemplates: resources.filter(allowed(context)).map(({ template }) => template),
  }));
  server.setRequestHandler('resources/list', (_request, context) =>
    guarded(async () => {
      const listed = resources.filter(allowed(context)).map(({ list }) =>
        // A resource that cannot be listed must not hide the others.
        list(context).catch((error: unknown) => {
          log.warn({ err: error }, 'resource list failed');
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
      const matching = resources.filter(allowed(context)).filter(({ match }) => match(uri));
      for (const { match, read } of matching) {
        const found = await read(uri, match(uri) ?? {}, context);
        if (found) return found;
      }
      if (matching.length === 0) logUnknown(log, context, { resource: 'unknown' });
      throw new ResourceNotFoundError(uri);
    }),
  );

  server.setRequestHandler('skills/list', { params: listSkillsParams }, (_params, context) =>
    guarded(async () => ({ skills: await surface.skills.list(), ...freshness(context) })),
  );
  server.setRequestHandler('skills/get', { params: getSkillParams }, ({ uri }, context) =>
    guarded(async () => {
      const skill = (await surface.skills.list()).find((one) => one.uri === uri);
      if (!skill)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No skill at ${quoted(uri)}; skills/list has all.`);
      return { skill, ...freshness(context) };
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
    if (!resource) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No resource template ${quoted(ref.uri)}.`);
    return resource.complete;
  }

  return mcp;
}

/** Callers may write anything as a name, so it is not logged. */
function logUnknown(log: Logger, context: ServerContext, subject: AuditSubject): void {
  logCall(log, { principal: getCaller(context).principal, subject, outcome: UNKNOWN_NAME, durationMs: 0 });
}

const quoted = (text: string) => (text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text);

const isListed = (tool: ServedTool) => tool.isListed !== false;

/** Filters entries by the caller's scopes. Over HTTP the request guard has already refused calls without the scope. */
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
    `Prompt ${JSON.stringify(quoted(name))} not found. Known prompts: ${known}.`,
  );
}

function matchTemplate(template: UriTemplate, uri: string): Record<string, string> | undefined {
  const matched = template.match(uri);
  if (!matched) return undefined;
  return Object.fromEntries(Object.entries(matched).map(([key, value]) => [key, String(value)]));
}

/** Only tools have error results. Elsewhere a failure becomes a protocol error, and a bug an error id. */
async function withProtocolErrors<Result>(work: () => Promise<Result>, log: Logger): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const failure = toEnvironmentFailure(error);
    if (failure) throw new ProtocolError(ProtocolErrorCode.InvalidParams, cleanText(failure.remoteMessage));
    const id = randomUUID();
    log.error({ err: error, errorId: id }, 'unhandled error in request');
    throw new ProtocolError(ProtocolErrorCode.InternalError, `Internal error ${id}.`);
  }
}
