import { fromJsonSchema } from '@modelcontextprotocol/server';
import { createLog } from '../../src/platform/log.ts';
import type { RunningHttpServer } from '../../src/server/http-server.ts';
import { createMcpServer } from '../../src/server/mcp-server.ts';
import { createServedSurface } from '../../src/server/served-surface.ts';
import { chooseSurface } from '../../src/server/surface.ts';
import { describeCatalog } from '../../src/tool/catalog.ts';
import { loadToolset } from '../../src/tool/toolsets.ts';
import { bareServices } from '../support/server/bare-services.ts';
import { serveSurface } from '../support/server/in-process.ts';
import { headerSchema, requestState, withFixtures } from './fixtures.ts';

/** The product's server over HTTP, with the real tools and the fixtures of the suite, which may connect. */
export async function startConformanceServer(): Promise<RunningHttpServer> {
  const log = createLog('error');
  const shutdown = new AbortController();
  const surface = chooseSurface(await describeCatalog(), {});
  const served = Promise.withResolvers<RunningHttpServer>();
  const product = createServedSurface(surface, bareServices({ loadToolset, log, shutdown: shutdown.signal }));
  const withSuite = withFixtures(product, {
    toolsChanged: () => void served.promise.then(({ handler }) => handler.notify.toolsChanged()),
    promptsChanged: () => void served.promise.then(({ handler }) => handler.notify.promptsChanged()),
    dropStream: (sessionId, requestId) =>
      void served.promise.then(({ sessions }) => sessions.find(sessionId)?.closeSSEStream(requestId)),
  });
  const started = await serveSurface(withSuite, {
    log,
    createServer(offered) {
      const mcp = createMcpServer(offered, log, {
        requestState: { verify: requestState.verify },
        capabilities: {
          logging: {},
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
        },
      });
      mcp.registerTool('test_x_mcp_header', { inputSchema: fromJsonSchema(headerSchema) }, async () => ({
        content: [],
      }));
      mcp.server.setRequestHandler('resources/subscribe', async () => ({}));
      mcp.server.setRequestHandler('resources/unsubscribe', async () => ({}));
      return mcp;
    },
  });
  served.resolve(started);
  return started;
}
