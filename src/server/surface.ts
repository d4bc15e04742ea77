import { Failure } from '../platform/errors.ts';
import { findNearestName } from '../platform/text/nearest-name.ts';
import type { Catalog, CatalogTool, CatalogToolset } from '../tool/catalog.ts';
import { resolveShortName } from './short-names.ts';

/** Selects the part of the catalog that is served. Tools do not know about it. */
export interface SurfaceChoice {
  /** Whole toolsets; `all` selects every toolset. Without toolsets and tools everything is served. */
  toolsets?: readonly string[] | undefined;
  /** Single tools, in addition to the toolsets. */
  tools?: readonly string[] | undefined;
  /** Tools that are never served. */
  excludeTools?: readonly string[] | undefined;
  /** Serves only tools that change nothing. */
  readOnly?: boolean | undefined;
  /** For remote callers: tools with local access are served only if they, their toolset or `all` are named. */
  remote?: boolean | undefined;
  /** For remote callers: there are folders that they may access. */
  withFolders?: boolean | undefined;
}

export interface Surface {
  /** Toolsets with served tools, in the order of the catalog. */
  toolsets: CatalogToolset[];
  tools: ReadonlyMap<string, CatalogTool>;
  /** The toolset of a tool, served or not; undefined if there is no such tool. */
  toolsetOf(name: string): string | undefined;
  /** The tools that are not served, by the reason. */
  leftOut: ReadonlyMap<string, readonly CatalogTool[]>;
  /** Explains to a caller why a tool cannot be called. */
  explain(name: string): string;
}

const NEEDS_NAME = 'it accesses the machine of the server, so over HTTP its toolset must be named (toolsets)';
const NEEDS_OWN_NAME = 'it starts programs of a project, so over HTTP the operator must name the tool itself (tools)';
const NEEDS_FOLDERS = 'it accesses files of the server, and no folders are allowed (folders)';

/** What a caller may expect, and the operator does not allow: sentences such as "Not served: coverage. Reason …". */
export function describeRefusedAccess({ leftOut }: Surface): string[] {
  return [NEEDS_NAME, NEEDS_FOLDERS].flatMap((reason) => {
    const toolsets = new Set(leftOut.get(reason)?.map(({ toolset }) => toolset));
    if (toolsets.size === 0) return [];
    return [`Not served: tools of ${[...toolsets].join(', ')}. Reason for each tool: ${reason}.`];
  });
}

export function chooseSurface(catalog: Catalog, choice: SurfaceChoice): Surface {
  const everything = new Map(catalog.toolsets.flatMap((toolset) => toolset.tools.map((tool) => [tool.name, tool])));
  const chosenSets = checkNames('toolset', choice.toolsets, [...catalog.toolsets.map(({ name }) => name), 'all']);
  const names = [...everything.keys()];
  const checkTools = (tools: readonly string[] = []) =>
    checkNames(
      'tool',
      tools.map((tool) => resolveShortName(tool, names)),
      names,
    );
  const chosenTools = checkTools(choice.tools);
  const excluded = checkTools(choice.excludeTools);
  const wantsAll = chosenSets.has('all') || (chosenSets.size === 0 && chosenTools.size === 0);

  /** Toolsets with tools that need no files. */
  const needsNoFolders = new Set(
    catalog.toolsets
      .filter(({ tools }) => tools.some(({ local }) => local !== 'files' && local !== 'programs'))
      .map(({ name }) => name),
  );

  const reasonAgainst = (tool: CatalogTool): string | undefined => {
    if (excluded.has(tool.name)) return 'it is excluded (exclude-tools)';
    if (choice.readOnly && tool.effect !== 'read')
      return 'it changes data, and only tools that change nothing are served (read-only)';
    const isNamed = chosenSets.has(tool.toolset) || chosenTools.has(tool.name);
    const isChosen = isNamed || chosenSets.has('all');
    if (choice.remote && tool.local && !isChosen) return NEEDS_NAME;
    const worksWithoutFolders = needsNoFolders.has(tool.toolset) || !isNamed;
    if (
      choice.remote &&
      (tool.local === 'files' || tool.local === 'programs') &&
      !choice.withFolders &&
      worksWithoutFolders
    )
      return NEEDS_FOLDERS;
    if (choice.remote && tool.local === 'programs' && !chosenTools.has(tool.name)) return NEEDS_OWN_NAME;
    if (wantsAll || isChosen) return undefined;
    return `it is not selected (toolsets, tools); it belongs to the toolset "${tool.toolset}"`;
  };

  const toolsets = catalog.toolsets
    .map((toolset) => ({ ...toolset, tools: toolset.tools.filter((tool) => !reasonAgainst(tool)) }))
    .filter((toolset) => toolset.tools.length > 0)
    .map(withServedPrompts);
  const tools = new Map(toolsets.flatMap((toolset) => toolset.tools.map((tool) => [tool.name, tool])));

  return {
    toolsets,
    tools,
    leftOut: Map.groupBy([...everything.values()].filter(reasonAgainst), (tool) => reasonAgainst(tool) ?? ''),
    toolsetOf: (name) => everything.get(name)?.toolset,
    explain(name) {
      const tool = everything.get(name);
      const reason = tool && reasonAgainst(tool);
      if (reason) return `Tool ${name} is not served: ${reason}.`;
      const near = findNearestName(name, [...tools.keys()]);
      return `Tool ${JSON.stringify(name.slice(0, 100))} not found.${near ? ` Did you mean ${near}?` : ''}`;
    },
  };
}

/** A prompt that names a tool which is not served would lead nowhere. */
function withServedPrompts(toolset: CatalogToolset): CatalogToolset {
  const served = new Set(toolset.tools.map(({ name }) => name));
  return { ...toolset, prompts: toolset.prompts.filter(({ tools }) => tools.every((name) => served.has(name))) };
}

/** Selects within a surface, so that a request can narrow the operator's selection but not widen it. */
export function narrowSurface(surface: Surface, choice: SurfaceChoice): Surface {
  // A request may also exclude tools that are not served.
  const excludeTools = choice.excludeTools?.filter(
    (name) => surface.tools.has(name) || surface.toolsetOf(name) === undefined,
  );
  const narrowed = chooseSurface({ toolsets: surface.toolsets }, { ...choice, excludeTools });
  return {
    ...narrowed,
    leftOut: new Map([...surface.leftOut, ...narrowed.leftOut]),
    toolsetOf: surface.toolsetOf,
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
      `Unknown ${what} ${JSON.stringify(name.slice(0, 100))}.${near ? ` Did you mean ${near}?` : ''} Known: ${all.join(', ')}.`,
    );
  }
  return new Set(names);
}
