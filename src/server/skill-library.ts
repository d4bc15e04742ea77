import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Skill } from '@modelcontextprotocol/server/ext/skills';
import type { Surface } from './surface.ts';

/** Instructions for agents by SEP-2640: folders with a SKILL.md, shipped in the package. */
export interface SkillLibrary {
  /** Skills for which all tools of a toolset are served that they name. */
  list(): Promise<Skill[]>;
  /** The text of a file of such a skill; undefined if it is none. */
  read(uri: string): Promise<string | undefined>;
}

export const SKILL_SCHEME = 'skill://';

/** Beside the sources in a checkout, beside the bundle in the package. */
const folder = ['../../skills', '../skills']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));

/** Reads no file before the first request, because most clients ask for no skill. */
export function createSkillLibrary(surface: Pick<Surface, 'tools' | 'toolsetOf'>): SkillLibrary {
  let loaded: Promise<Skill[]> | undefined;
  const list = () => {
    loaded ??= loadServedSkills(surface);
    return loaded;
  };
  return {
    list,
    async read(uri) {
      const files = (await list()).flatMap(({ resources }) =>
        Array.isArray(resources) ? resources.map((file) => file.uri) : [],
      );
      return files.includes(uri) ? readSkillFile(uri) : undefined;
    },
  };
}

async function loadServedSkills(surface: Pick<Surface, 'tools' | 'toolsetOf'>): Promise<Skill[]> {
  if (!folder) return [];
  const { loadSkills } = await import('@modelcontextprotocol/server/ext/skills/node');
  const { entries } = await loadSkills(folder, { strict: true });
  const served = await Promise.all(
    entries.map(async (skill) => {
      const text = (await readSkillFile(skill.uri)) ?? '';
      const named = [...text.matchAll(/`([a-z][a-z0-9_]+)`/g)].map(([, name = '']) => name);
      const byToolset = Map.groupBy(named, surface.toolsetOf);
      byToolset.delete(undefined);
      return [...byToolset.values()].some((tools) => tools.every((name) => surface.tools.has(name)));
    }),
  );
  return entries.filter((_, index) => served[index]);
}

async function readSkillFile(uri: string): Promise<string | undefined> {
  if (!folder || !uri.startsWith(SKILL_SCHEME)) return undefined;
  const path = join(folder, decodeURIComponent(uri.slice(SKILL_SCHEME.length)));
  if (relative(folder, path).split(sep)[0] === '..') return undefined;
  return readFile(path, 'utf8');
}
