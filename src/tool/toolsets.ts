import type { Toolset } from './tool.ts';

/** Every toolset, in the order in which they are listed. Loaded on first use. */
const loaders = new Map<string, () => Promise<Toolset>>([
  ['coverage', async () => (await import('../coverage/toolset.ts')).coverage],
  ['standards', async () => (await import('../standards/toolset.ts')).standards],
  ['accessibility', async () => (await import('../accessibility/toolset.ts')).accessibility],
  ['wizards', async () => (await import('../wizards/toolset.ts')).wizards],
  ['qa', async () => (await import('../qa/toolset.ts')).qa],
]);

export const toolsetNames = [...loaders.keys()];

export async function loadToolset(name: string): Promise<Toolset> {
  const load = loaders.get(name);
  if (!load) throw new Error(`no toolset ${name}`);
  return load();
}
