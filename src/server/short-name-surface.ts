import type { ServedSurface, ServedTool } from './served-surface.ts';
import { shortenNames } from './short-names.ts';

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
