import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { quote } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { checkArgumentSize, explainArgumentIssues } from '../tool/arguments.ts';
import { logCall, UNKNOWN_NAME } from '../tool/audit.ts';
import { objectSchema } from '../tool/json-schema.ts';
import { createToolSearch } from '../tool/tool-search.ts';
import { getCaller } from './auth.ts';
import { hasScope } from './scopes.ts';
import type { ServedSurface, ServedTool } from './served-surface.ts';

export const FIND_TOOLS = 'assay_find_tools';
export const CALL_TOOL = 'assay_call_tool';
const MOST_ENTRY_TOOLS = 12;
/** About 2,300 tokens: with the instructions and the two tools for the others, a host gets less than 3,000. */
const MOST_ENTRY_CHARACTERS = 9200;

const findArguments = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(400)
    .describe('What to do, in plain English, e.g. "which lines of my diff are untested"'),
  limit: z.int().min(1).max(20).default(5).describe('Number of tools to return, 1 to 20; 5 by default'),
});
const callArguments = z.strictObject({
  name: z.string().min(1).max(100).describe(`Name of the tool, from ${FIND_TOOLS}`),
  arguments: z
    .record(z.string(), z.unknown())
    .default({})
    .describe(`Arguments of the tool, by the inputSchema that ${FIND_TOOLS} returned`),
});

/**
 * The same surface for hosts that cannot take many tools: it lists at most twelve entry tools, without output schemas, and
 * two tools that find and call all the others. Every tool of the surface stays callable by its own name.
 */
export function createLeanSurface(surface: ServedSurface, log: Logger): ServedSurface {
  const shortened = new Map([...surface.tools].map(([name, tool]) => [name, shortenListing(tool)]));
  for (const name of chooseEntryTools(surface.entryTools, shortened)) {
    const tool = shortened.get(name);
    if (tool) tool.isListed = true;
  }
  const tools = new Map([
    ...shortened,
    [FIND_TOOLS, createFindTool(surface, log)] as const,
    [CALL_TOOL, createCallTool(surface, log)] as const,
  ]);
  const rule = `This server lists only its entry tools. Find the others with ${FIND_TOOLS}, and call them with ${CALL_TOOL}.`;
  return { ...surface, instructions: `${surface.instructions}\n${rule}`, tools };
}

function shortenListing(tool: ServedTool): ServedTool {
  const { outputSchema: _, ...listing } = tool.listing;
  const { title: __, ...annotations } = listing.annotations ?? {};
  return { ...tool, listing: { ...listing, annotations }, isListed: false };
}

/** In the order of the questions, as many as fit: a tool with a large schema leaves its slot to the next ones. */
function chooseEntryTools(names: readonly string[], tools: ReadonlyMap<string, ServedTool>): string[] {
  const chosen: string[] = [];
  let characters = 0;
  for (const name of names) {
    const size = JSON.stringify(tools.get(name)?.listing ?? '').length;
    if (chosen.length === MOST_ENTRY_TOOLS || characters + size > MOST_ENTRY_CHARACTERS) continue;
    characters += size;
    chosen.push(name);
  }
  return chosen;
}

function createFindTool(surface: ServedSurface, log: Logger): ServedTool {
  const all = [...surface.tools.values()].filter(({ isListed }) => isListed !== false);
  const search = createToolSearch(
    all.map(({ listing: { name, title = '', description = '' } }) => ({ name, title, description })),
  );
  return {
    listing: {
      name: FIND_TOOLS,
      title: 'Find tools',
      description: `Search all ${all.length} tools of this server by what you want to do. Returns names, descriptions and input schemas; call one with ${CALL_TOOL}.`,
      inputSchema: objectSchema(findArguments, 'input'),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async call(args, context) {
      const parsed = parseArguments(FIND_TOOLS, findArguments, args);
      logOwnCall(log, context, FIND_TOOLS, 'refused' in parsed ? 'INVALID_ARGUMENTS' : 'ok');
      if ('refused' in parsed) return parsed.refused;
      const { query, limit } = parsed.data;
      const found = search(query).flatMap((name) => findAllowed(surface, name, context) ?? []);
      const tools = found.slice(0, limit).map(({ listing: { name, title, description, inputSchema } }) => ({
        name,
        title,
        description,
        inputSchema,
      }));
      const data = { tools, total: found.length };
      const hint = `No tool matches ${quote(query)}. Use other words, such as coverage, spec, accessibility, form or test.`;
      return { structuredContent: data, content: [{ type: 'text', text: tools.length ? JSON.stringify(data) : hint }] };
    },
  };
}

function createCallTool(surface: ServedSurface, log: Logger): ServedTool {
  return {
    listing: {
      name: CALL_TOOL,
      title: 'Call a tool',
      description: `Call any tool of this server by name, with the result, errors and progress of a direct call. Find names and input schemas with ${FIND_TOOLS}.`,
      inputSchema: objectSchema(callArguments, 'input'),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    findTarget(args) {
      const { data } = callArguments.pick({ name: true }).loose().safeParse(args);
      return data && surface.tools.get(data.name);
    },
    async call(args, context) {
      const parsed = parseArguments(CALL_TOOL, callArguments, args);
      if ('refused' in parsed) {
        logOwnCall(log, context, CALL_TOOL, 'INVALID_ARGUMENTS');
        return parsed.refused;
      }
      const tool = findAllowed(surface, parsed.data.name, context);
      // The tool that is called writes the line.
      if (tool) return tool.call(parsed.data.arguments, context);
      logOwnCall(log, context, CALL_TOOL, UNKNOWN_NAME);
      return refuseCall(`${surface.explainMissingTool(parsed.data.name)} Search with ${FIND_TOOLS}.`);
    },
  };
}

function logOwnCall(log: Logger, context: ServerContext, tool: string, outcome: string): void {
  logCall(log, { principal: getCaller(context).principal, subject: { tool }, outcome, durationMs: 0 });
}

/** A tool that the caller's scopes cover. */
function findAllowed(surface: ServedSurface, name: string, context: ServerContext): ServedTool | undefined {
  const tool = surface.tools.get(name);
  const { scopes } = getCaller(context);
  return tool && (tool.scope === undefined || hasScope(scopes, tool.scope)) ? tool : undefined;
}

function parseArguments<Schema extends z.ZodObject>(
  name: string,
  schema: Schema,
  args: unknown,
): { data: z.output<Schema> } | { refused: CallToolResult } {
  // The arguments inside are bounded by the tool that is called.
  if (name === FIND_TOOLS) checkArgumentSize(name, args);
  const parsed = schema.safeParse(args);
  if (parsed.success) return { data: parsed.data };
  return {
    refused: refuseCall(explainArgumentIssues(name, Object.keys(schema.shape), parsed.error.issues, args).message),
  };
}

function refuseCall(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: message }] };
}
