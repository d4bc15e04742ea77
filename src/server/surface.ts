import { Failure } from '../platform/errors.ts';
import { findNearestName } from '../platform/text/nearest-name.ts';
import type { Catalog, CatalogTool, CatalogToolset } from '../tool/catalog.ts';

/** Which part of the catalog is served. Policy, not definition: the tools do not know of it. */
export interface SurfaceChoice {
  /** Whole toolsets; `all` is every one. Nothing chosen at all means everything. */
  toolsets?: readonly string[] | undefined;
  /** Single tools, beside the toolsets or instead of them. */
  tools?: readonly string[] | undefined;
  /** Never these, whatever else is chosen. */
  excludeTools?: readonly string[] | undefined;
  /** Never a tool that changes anything, whatever else is chosen. */
  readOnly?: boolean | undefined;
  /** For callers elsewhere: tools that reach into this machine only where they, or their toolset, are named. */
  remote?: boolean | undefined;
  /** For callers elsewhere: folders were named that they may touch. */
  withFolders?: boolean | undefined;
}

export interface Surface {
  /** The toolsets that have anything left, each with the tools that are left, in the catalog's order. */
  toolsets: CatalogToolset[];
  tools: ReadonlyMap<string, CatalogTool>;
  /** Whether there is such a tool at all, served or not. */
  isKnown(name: string): boolean;
  /** Why a tool cannot be called, for the caller. */
  explain(name: string): string;
}

export function chooseSurface(catalog: Catalog, choice: SurfaceChoice): Surface {
  const everything = new Map(catalog.toolsets.flatMap((toolset) => toolset.tools.map((tool) => [tool.name, tool])));
  const chosenSets = checkNames('toolset', choice.toolsets, [...catalog.toolsets.map(({ name }) => name), 'all']);
  const chosenTools = checkNames('tool', choice.tools, [...everything.keys()]);
  const excluded = checkNames('tool', choice.excludeTools, [...everything.keys()]);
  const wantsAll = chosenSets.has('all') || (chosenSets.size === 0 && chosenTools.size === 0);

  /** Toolsets that are of use without files. */
  const needsNoFolders = new Set(
    catalog.toolsets.filter(({ tools }) => tools.some(({ local }) => local !== 'files')).map(({ name }) => name),
  );

  const reasonAgainst = (tool: CatalogTool): string | undefined => {
    if (excluded.has(tool.name)) return 'it is excluded (exclude-tools)';
    if (choice.readOnly && tool.effect !== 'read')
      return 'it changes something, and only tools that change nothing are (read-only)';
    const isNamed = chosenSets.has(tool.toolset) || chosenTools.has(tool.name);
    if (choice.remote && tool.local && !isNamed)
      return 'it reaches into the machine of the server, so over HTTP its toolset must be named (toolsets)';
    if (choice.remote && tool.local === 'files' && !choice.withFolders && needsNoFolders.has(tool.toolset))
      return 'it works on files of the server, and no folders were named for that (folders)';
    if (wantsAll || isNamed) return undefined;
    return `it is not among those chosen (toolsets, tools); it belongs to the toolset "${tool.toolset}"`;
  };

  const toolsets = catalog.toolsets
    .map((toolset) => ({ ...toolset, tools: toolset.tools.filter((tool) => !reasonAgainst(tool)) }))
    .filter((toolset) => toolset.tools.length > 0);
  const tools = new Map(toolsets.flatMap((toolset) => toolset.tools.map((tool) => [tool.name, tool])));

  return {
    toolsets,
    tools,
    isKnown: (name) => everything.has(name),
    explain(name) {
      const tool = everything.get(name);
      const reason = tool && reasonAgainst(tool);
      if (reason) return `Tool ${name} is not served: ${reason}.`;
      const near = findNearestName(name, [...tools.keys()]);
      return `Tool ${JSON.stringify(name.slice(0, 100))} not found.${near ? ` Did you mean ${near}?` : ''}`;
    },
  };
}

/** The same catalog, cut down to a surface, so that a request can choose within what the operator chose. */
export function narrowSurface(surface: Surface, choice: SurfaceChoice): Surface {
  // What is not served anyway may be excluded once more.
  const excludeTools = choice.excludeTools?.filter((name) => surface.tools.has(name) || !surface.isKnown(name));
  const narrowed = chooseSurface({ toolsets: surface.toolsets }, { ...choice, excludeTools });
  return {
    ...narrowed,
    isKnown: surface.isKnown,
    explain: (name) => (surface.tools.has(name) ? narrowed : surface).explain(name),
  };
}

function checkNames(what: string, names: readonly string[] | undefined, all: readonly string[]): Set<string> {
  for (const name of names ?? []) {
    if (all.includes(name)) continue;
    const near = findNearestName(name, all);
    throw new Failure(
      'configuration',
      'UNKNOWN_NAME',
      `There is no ${what} ${JSON.stringify(name.slice(0, 100))}.${near ? ` Did you mean ${near}?` : ''} There are: ${all.join(', ')}.`,
    );
  }
  return new Set(names);
}
