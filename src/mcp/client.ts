import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { version } from '../platform/version.ts';

/** Starts a server as a child process and connects to it, as any MCP host would. */
export async function connectToChild(
  command: string,
  args: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<Client> {
  const client = new Client({ name: 'assay-demo', version }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioClientTransport({ command, args, cwd, env, stderr: 'inherit' }));
  return client;
}
