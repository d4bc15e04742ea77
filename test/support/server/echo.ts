import * as z from 'zod';
import { createServedSurface, type ServedSurface } from '../../../src/server/served-surface.ts';
import type { Services } from '../../../src/server/services.ts';
import { chooseSurface } from '../../../src/server/surface.ts';
import { describeToolset } from '../../../src/tool/catalog.ts';
import { defineTool, defineTools, type ToolContext } from '../../../src/tool/tool.ts';
import { bareServices } from './bare-services.ts';

export type Run = (args: { text: string }, context: ToolContext) => Promise<{ said: string }>;

/** Two tools whose behaviour a test chooses: `say` needs `echo:read`, `shout` needs `echo:write`. */
export async function createEchoSurface(run: Run, services: Partial<Services> = {}): Promise<ServedSurface> {
  const tool = (name: string, effect: 'read' | 'write', scope: string) =>
    defineTool({
      name,
      title: name,
      description: `Does ${name} it.`,
      effect,
      scope,
      input: z.object({ text: z.string().describe('What to say') }),
      output: z.object({ said: z.string().max(20) }),
      run,
    });
  const toolset = defineTools({
    name: 'echo',
    title: 'Echo',
    summary: 'Says things.',
    tools: [tool('say', 'read', 'echo:read'), tool('shout', 'write', 'echo:write')],
    presentError: ({ code, message }) => ({ text: `[${code}] ${message}`, structured: { code } }),
  });
  const surface = chooseSurface({ toolsets: [await describeToolset(toolset)] }, {});
  return createServedSurface(surface, bareServices({ loadToolset: async () => toolset, ...services }));
}
