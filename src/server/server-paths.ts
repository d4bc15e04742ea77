import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { Failure } from '../platform/errors.ts';
import { isJsonObject } from '../platform/json.ts';
import { localIssuer } from '../platform/principal.ts';
import { callerOf } from './auth.ts';
import type { Offer, OfferedPrompt, OfferedResource, OfferedTool } from './offer.ts';

interface ServerPaths {
  home: string;
  cwd: string;
  /** The folders that callers may touch: they know them, so paths in them are kept in results. */
  folders: readonly string[];
}

type Hide = (text: string) => string;

/**
 * The same offer for callers over HTTP, without the server's own paths: `ASSAY_HOME/secret.key` instead of where it lies.
 * Errors never show them. Results show them only to the user of this machine, who can open the files.
 */
export function withoutServerPaths(offer: Offer, { home, cwd, folders }: ServerPaths): Offer {
  const own: [string, string][] = [
    [home, 'ASSAY_HOME'],
    [fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, ''), 'ASSAY'],
    [homedir(), '~'],
  ];
  const inErrors = hider([[cwd, '.'], ...own]);
  const inResults = hider([...[...folders, cwd].map((folder): [string, string] => [folder, folder]), ...own]);
  const forCaller = (context: ServerContext): Hide =>
    callerOf(context).principal.issuer === localIssuer ? (text) => text : inResults;

  const tool = (offered: OfferedTool): OfferedTool => ({
    ...offered,
    async call(args, context) {
      const result = await offered.call(args, context);
      return hideIn(result, isError(result) ? inErrors : forCaller(context));
    },
  });
  const prompt = (offered: OfferedPrompt): OfferedPrompt => ({
    ...offered,
    get: (args, context) => hidingFailures(offered.get(args, context), inErrors),
  });
  const resource = (offered: OfferedResource): OfferedResource => ({
    ...offered,
    list: async (context) => hideIn(await hidingFailures(offered.list(context), inErrors), forCaller(context)),
    read: (uri, variables, context) => hidingFailures(offered.read(uri, variables, context), inErrors),
  });
  return {
    ...offer,
    tools: new Map([...offer.tools].map(([name, each]) => [name, tool(each)])),
    prompts: new Map([...offer.prompts].map(([name, each]) => [name, prompt(each)])),
    resources: offer.resources.map(resource),
  };
}

const isError = (result: CallToolResult | InputRequiredResult) => 'isError' in result && result.isError === true;

/** Replaces whole leading parts of paths, also as JSON writes them; the longest one that fits wins. */
function hider(names: readonly [path: string, shown: string][]): Hide {
  const shown = new Map(
    names
      .filter(([path]) => path.length > 1)
      .flatMap(([path, name]) => [[path, name] as const, [JSON.stringify(path).slice(1, -1), name] as const]),
  );
  const alternatives = [...shown.keys()].sort((a, b) => b.length - a.length).map((path) => RegExp.escape(path));
  const pattern = new RegExp(`(?<![\\w.-])(?:${alternatives.join('|')})(?![\\w-]|\\.\\w)`, 'g');
  return (text) => text.replace(pattern, (path) => shown.get(path) ?? path);
}

/** The same value with other texts. Keys are left alone, and what holds nothing to hide is not copied. */
function hideIn<Value>(value: Value, hide: Hide): Value;
function hideIn(value: unknown, hide: Hide): unknown {
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

async function hidingFailures<Result>(work: Promise<Result>, hide: Hide): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.kind, error.code, hide(error.message), error.details, { cause: error });
  }
}
