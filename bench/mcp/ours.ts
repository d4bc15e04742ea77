/** The same trivial tool in our house: definition, surface, offer, boundary, line transport. */
import * as z from 'zod';
import { describeToolset } from '../../src/mcp/catalog.ts';
import { offerOf } from '../../src/mcp/offer.ts';
import { buildServer } from '../../src/mcp/server.ts';
import { serveStdio } from '../../src/mcp/stdio.ts';
import { chooseSurface } from '../../src/mcp/surface.ts';
import { defineTool, defineToolset } from '../../src/mcp/tool.ts';
import { createLog } from '../../src/platform/log.ts';
import { bareServices } from '../../test/support/bare-services.ts';

const toolset = defineToolset({
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
const offer = offerOf(surface, bareServices({ loadToolset: async () => toolset, log }));
serveStdio(() => buildServer(offer, log), log);
