/** The same trivial tool served by Assay: definition, surface, error boundary, line transport. */
import * as z from 'zod';
import { createLog } from '../../src/platform/log.ts';
import { createMcpServer } from '../../src/server/mcp-server.ts';
import { createServedSurface } from '../../src/server/served-surface.ts';
import { serveStdio } from '../../src/server/stdio-server.ts';
import { chooseSurface } from '../../src/server/surface.ts';
import { describeToolset } from '../../src/tool/catalog.ts';
import { defineTool, defineTools } from '../../src/tool/tool.ts';
import { bareServices } from '../../test/support/server/bare-services.ts';

const toolset = defineTools({
  name: 'echo',
  title: 'Echo',
  summary: 'Says things.',
  tools: [
    defineTool({
      name: 'say',
      title: 'Say',
      description: 'Says it.',
      effect: 'read',
      scope: 'echo:read',
      input: z.object({ text: z.string() }),
      output: z.object({ said: z.string() }),
      run: async ({ text }) => ({ said: text }),
    }),
  ],
  presentError: ({ message }) => ({ text: message }),
});
const log = createLog('warn');
const surface = chooseSurface({ toolsets: [await describeToolset(toolset)] }, {});
const servedSurface = createServedSurface(surface, bareServices({ loadToolset: async () => toolset, log }));
serveStdio(() => createMcpServer(servedSurface, log), log);
