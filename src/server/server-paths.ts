import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { Failure } from '../platform/errors.ts';
import { isJsonObject } from '../platform/json.ts';
import { localIssuer } from '../platform/principal.ts';
import { getCaller } from './auth.ts';
import type { ServedPrompt, ServedResource, ServedSurface, ServedTool } from './served-surface.ts';

interface ServerPaths {
  home: string;
  cwd: string;
  /** Folders that callers may access. Callers know them, so results keep their paths. */
  folders: readonly string[];
}

type HidePaths = (text: string) => string;

/**
 * Wraps a served surface for HTTP callers and hides the server's own paths: `ASSAY_HOME/secret.key` instead of the absolute
 * path. Errors never show such paths. Results show them only to the local user, who can open the files.
 */
export function hideServerPaths(surface: ServedSurface, { home, cwd, folders }: ServerPaths): ServedSurface {
  const own: [string, string][] = [
    [home, 'ASSAY_HOME'],
    [fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, ''), 'ASSAY'],
    [homedir(), '~'],
  ];
  const inErrors = createPathHider([[cwd, '.'], ...own]);
  const inResults = createPathHider([...[...folders, cwd].map((folder): [string, string] => [folder, folder]), ...own]);
  const forCaller = (context: ServerContext): HidePaths =>
    getCaller(context).principal.issuer === localIssuer ? (text) => text : inResults;

  const tool = (served: ServedTool): ServedTool => ({
    ...served,
    async call(args, context) {
      const result = await served.call(args, context);
      return hideIn(result, isError(result) ? inErrors : forCaller(context));
    },
  });
  const prompt = (served: ServedPrompt): ServedPrompt => ({
    ...served,
    get: (args, context) => hideInFailures(served.get(args, context), inErrors),
  });
  const resource = (served: ServedResource): ServedResource => ({
    ...served,
    list: async (context) => hideIn(await hideInFailures(served.list(context), inErrors), forCaller(context)),
    read: async (uri, variables, context) =>
      hideIn(await hideInFailures(served.read(uri, variables, context), inErrors), forCaller(context)),
  });
  return {
    ...surface,
    tools: new Map([...surface.tools].map(([name, each]) => [name, tool(each)])),
    prompts: new Map([...surface.prompts].map(([name, each]) => [name, prompt(each)])),
    resources: surface.resources.map(resource),
  };
}

const isError = (result: CallToolResult | InputRequiredResult) => 'isError' in result && result.isError === true;

/** Replaces leading folders of paths, also in JSON escapes; the longest match wins. */
function createPathHider(names: readonly [path: string, shown: string][]): HidePaths {
  const shown = new Map(
    names
      .filter(([path]) => path.length > 1)
      .flatMap(([path, name]) => [[path, name] as const, [JSON.stringify(path).slice(1, -1), name] as const]),
  );
  const alternatives = [...shown.keys()].sort((a, b) => b.length - a.length).map((path) => RegExp.escape(path));
  const pattern = new RegExp(`(?<![\\w.-])(?:${alternatives.join('|')})(?![\\w-]|\\.\\w)`, 'g');
  return (text) => text.replace(pattern, (path) => shown.get(path) ?? path);
}

/** Maps the strings of a value. Keys stay unchanged, and a value without paths is not copied. */
function hideIn<Value>(value: Value, hide: HidePaths): Value;
function hideIn(value: unknown, hide: HidePaths): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => hideIn(item, hide));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, member, hideIn(member, hide)] as const);
  if (members.every(([, before, after]) => before === after)) return value;
  return Object.fromEntries(members.map(([key, , after]) => [key, after]));
}

async function hideInFailures<Result>(work: Promise<Result>, hide: HidePaths): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.kind, error.code, hide(error.message), error.details, { cause: error });
  }
}
