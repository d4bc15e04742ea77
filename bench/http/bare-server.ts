/** Baseline: a trivial tool on the HTTP server of the SDK, without authentication and limits. */
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const inputSchema = z.object({ text: z.string() });
const outputSchema = z.object({ said: z.string() });
const serve = toNodeHandler(
  createMcpHandler(() => {
    const server = new McpServer({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
    server.registerTool('say', { description: 'Says it.', inputSchema, outputSchema }, async ({ text }) => {
      const out = { said: text };
      return { structuredContent: out, content: [{ type: 'text', text: JSON.stringify(out) }] };
    });
    return server;
  }),
);
const http = createServer(
  (request, response) =>
    void serve(Object.assign(request, { method: request.method ?? 'GET', url: request.url ?? '/' }), response),
);
http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp\n`);
});
