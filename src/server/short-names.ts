import { createHash } from 'node:crypto';
import type { ServedSurface, ServedTool } from './served-surface.ts';

const FEWEST_DIGITS = 6;

const digitsOf = (name: string) => createHash('sha256').update(name).digest('hex');

/**
 * Short names of the tools whose name has more than `most` characters: the beginning of the name, and digits that no other tool
 * has. The same tool always has the same digits. 0 shortens none.
 */
export function shortenNames(names: readonly string[], most: number): Map<string, string> {
  const long = most === 0 ? [] : names.filter((name) => name.length > most);
  let count = FEWEST_DIGITS;
  while (new Set(long.map((name) => digitsOf(name).slice(0, count))).size < long.length) count++;
  return new Map(
    long.map((name) => {
      const begin = name.slice(0, most - count - 1).replace(/_+$/, '');
      return [name, `${begin}_${digitsOf(name).slice(0, count)}`];
    }),
  );
}

/** The specified name for a short name of any length; any other name as it is. */
export function resolveShortName(given: string, names: readonly string[]): string {
  const [, begin = '', digits = ''] = new RegExp(`^(\\w+)_([0-9a-f]{${FEWEST_DIGITS},64})$`).exec(given) ?? [];
  if (begin === '' || names.includes(given)) return given;
  return names.find((name) => name.startsWith(begin) && digitsOf(name).startsWith(digits)) ?? given;
}

/**
 * Lists tools with long names by a short one. The specified names stay callable. Texts for the model name the tools as they are
 * listed.
 */
export function withShortNames(surface: ServedSurface, most: number): ServedSurface {
  const short = shortenNames([...surface.tools.keys()], most);
  if (short.size === 0) return surface;
  const pattern = new RegExp(`\\b(?:${[...short.keys()].join('|')})\\b`, 'g');
  const rename = (text: string) => text.replace(pattern, (name) => short.get(name) ?? name);
  const tools = [...surface.tools].flatMap(([name, tool]): [string, ServedTool][] => {
    const renamed = renameInListing(tool, rename);
    const alias = short.get(name);
    if (alias === undefined) return [[name, renamed]];
    const description = `${renamed.listing.description ?? ''} Short name of ${name}.`;
    return [
      [name, { ...tool, isListed: false }],
      [alias, { ...renamed, listing: { ...renamed.listing, name: alias, description } }],
    ];
  });
  return {
    ...surface,
    instructions: rename(surface.instructions),
    entryTools: surface.entryTools.map(rename),
    tools: new Map(tools),
  };
}

/** Descriptions of tools and arguments name other tools. */
function renameInListing(tool: ServedTool, rename: (text: string) => string): ServedTool {
  const { description, inputSchema } = tool.listing;
  const properties = Object.entries(inputSchema.properties ?? {}).map(([name, schema]) => {
    const about: unknown = Reflect.get(Object(schema), 'description');
    return [name, typeof about === 'string' ? { ...Object(schema), description: rename(about) } : schema];
  });
  const renamed = { ...inputSchema, properties: Object.fromEntries(properties) };
  return {
    ...tool,
    listing: { ...tool.listing, description: rename(description ?? ''), inputSchema: renamed },
  };
}
