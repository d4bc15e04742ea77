/** Baseline: a trivial tool on the plain SDK. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
  server.registerTool(
    'say',
    {
      description: 'Says it.',
      inputSchema: z.object({ text: z.string() }),
      outputSchema: z.object({ said: z.string() }),
    },
    async ({ text }) => {
      const out = { said: text };
      return { structuredContent: out, content: [{ type: 'text', text: JSON.stringify(out) }] };
    },
  );
  return server;
});
