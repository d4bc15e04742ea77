import type { Toolset } from './tool.ts';

/** Every toolset, in the order in which they are listed. Loaded on first use. */
const loaders = new Map<string, () => Promise<Toolset>>([
  ['coverage', async () => (await import('../coverage/toolset.ts')).coverageToolset],
  ['standards', async () => (await import('../standards/toolset.ts')).standardsToolset],
  ['accessibility', async () => (await import('../accessibility/toolset.ts')).accessibilityToolset],
  ['wizards', async () => (await import('../wizards/toolset.ts')).wizardsToolset],
  ['qa', async () => (await import('../qa/toolset.ts')).qaToolset],
]);

export const toolsetNames = [...loaders.keys()];

export async function loadToolset(name: string): Promise<Toolset> {
  const load = loaders.get(name);
  if (!load) throw new Error(`no toolset ${name}`);
  return load();
}
