import * as z from 'zod';
import { connectToChild, connectToServer } from '../mcp/client.ts';
import { Failure, quote } from '../platform/errors.ts';
import { type Given, settings } from '../platform/settings.ts';
import { ciSettings } from './ci-settings.ts';

/** The server that has the project, here or elsewhere: both are spoken to as any MCP client does. */
export interface CiServer extends AsyncDisposable {
  call(tool: string, args: Record<string, unknown>): Promise<unknown>;
  read(uri: string): Promise<Buffer>;
}

export async function openServer(given: Given): Promise<CiServer> {
  const server = given.get(ciSettings.server);
  const client = server ? await connectElsewhere(server, given.get(settings.token)) : await connectHere();
  return {
    async call(name, args) {
      const result = await client.callTool({ name, arguments: args });
      if (!result.isError) return result.structuredContent;
      const [content] = result.content;
      throw failureFrom(name, content?.type === 'text' ? content.text : '');
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri });
      const [content] = contents;
      if (content && 'blob' in content) return Buffer.from(content.blob, 'base64');
      return Buffer.from(content && 'text' in content ? content.text : '');
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** A server of our own for the home folder of this machine. Its surface is ours to choose, whatever the environment says. */
function connectHere() {
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const narrowing = [settings.tools, settings.excludeTools, settings.readOnly].map(({ env: name }) => [name, '']);
  return connectToChild(process.execPath, [process.argv[1] ?? '', 'serve', '--no-http', '--toolsets', 'qa'], {
    cwd: process.cwd(),
    env: { ...env, ...Object.fromEntries(narrowing) },
  });
}

async function connectElsewhere(server: URL, token: string | undefined) {
  try {
    return await connectToServer(server, token);
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? Number(error.status) : undefined;
    const refused =
      status === 401 ||
      status === 403 ||
      (error instanceof Error && /\b40[13]\b|unauthori[sz]ed/i.test(`${error.name} ${error.message}`));
    if (refused) {
      const said = token === undefined ? `${settings.token.env} is not set` : `check ${settings.token.env}`;
      throw new Failure('configuration', 'UNAUTHORIZED', `${server.host} lets nobody in without a token: ${said}.`);
    }
    const message = `The Assay server ${quote(server.href)} cannot be reached. ${ciSettings.server.env} must be its address, which ends in /mcp.`;
    throw new Failure('unavailable', 'NO_SERVER', message, {}, { cause: error });
  }
}

const toolError = z.object({ error: z.string(), message: z.string() });
/** What whoever wrote the command line can mend. */
const usage = ['INVALID_ARGUMENT', 'NOT_FOUND', 'FORBIDDEN', 'UNAUTHORIZED'];

function failureFrom(tool: string, text: string): Failure {
  const told = toolError.safeParse(json(text)).data ?? { error: '', message: text.slice(0, 500) };
  const kind = usage.includes(told.error) ? 'configuration' : 'unavailable';
  return new Failure(kind, told.error || 'FAILED', `${tool}: ${told.message}`);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
