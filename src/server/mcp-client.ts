import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { version } from '../platform/version.ts';

/** Starts a server as a child process and connects to it over stdio. */
export async function connectToChild(
  command: string,
  args: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<Client> {
  const client = newClient();
  await client.connect(new StdioClientTransport({ command, args, cwd, env, stderr: 'inherit' }));
  return client;
}

/** Connects to a remote server with a bearer token. */
export async function connectToServer(url: URL, token: string | undefined): Promise<Client> {
  const client = newClient();
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

function newClient(): Client {
  return new Client({ name: 'assay', version }, { versionNegotiation: { mode: 'auto' } });
}
