import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';
import { root } from '../assay.ts';

export interface ModuleImport {
  /** A path from the root of the repository, such as `src/tool/tool.ts`, or the name of a package. */
  target: string;
  /** Erased before the program runs: `import type`, or only types in the braces. */
  isType: boolean;
  /** `import()`: loaded when the call is reached, not with the file. */
  isDynamic: boolean;
}

/** Every file of a folder with what it imports. */
export type ImportGraph = ReadonlyMap<string, readonly ModuleImport[]>;

/** Reads the imports of all TypeScript files under `folder`, types and dynamic imports included. */
export async function readImportGraph(folder: string): Promise<ImportGraph> {
  const files = globSync(`${folder}/**/*.ts`, { cwd: root });
  const rows = files
    .sort()
    .map(async (file) => [file, importsOf(file, await readFile(join(root, file), 'utf8'))] as const);
  return new Map(await Promise.all(rows));
}

export function importsOf(file: string, source: string): ModuleImport[] {
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found = (specifier: string, isType: boolean, isDynamic = false): ModuleImport => ({
    target: specifier.startsWith('.') ? relative(root, join(root, dirname(file), specifier)) : specifier,
    isType,
    isDynamic,
  });
  const areTypes = (entries: readonly { isType: boolean }[]) =>
    entries.length > 0 && entries.every(({ isType }) => isType);
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => found(moduleRequest.value, areTypes(entries))),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? [found(moduleRequest.value, isType)] : [])),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const specifier = /^['"](.+)['"]$/.exec(source.slice(start, end))?.[1];
      return specifier === undefined ? [] : [found(specifier, false, true)];
    }),
  ];
}

/** Every file and package that is loaded with these files: dynamic imports and types are not followed. */
export function loadedWith(graph: ImportGraph, files: readonly string[]): Set<string> {
  const loaded = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    for (const { target, isType, isDynamic } of graph.get(file) ?? []) if (!isType && !isDynamic) waiting.push(target);
  }
  return loaded;
}

/** Groups of files that import each other in a circle, types included; dynamic imports are no part of a circle. */
export function findImportCycles(graph: ImportGraph): string[][] {
  const index = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    let lowest = own;
    stack.push(file);
    onStack.add(file);
    for (const { target, isDynamic } of graph.get(file) ?? []) {
      if (isDynamic || !graph.has(target)) continue;
      if (!index.has(target)) lowest = Math.min(lowest, visit(target));
      else if (onStack.has(target)) lowest = Math.min(lowest, index.get(target) ?? own);
    }
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(file));
      for (const member of group) onStack.delete(member);
      if (group.length > 1) cycles.push(group.sort());
    }
    return lowest;
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return cycles;
}
