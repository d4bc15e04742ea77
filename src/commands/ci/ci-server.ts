import * as z from 'zod';
import { Failure, quote } from '../../platform/errors.ts';
import { type SettingValues, settings } from '../../platform/settings.ts';
import { connectToChild, connectToServer } from '../../server/mcp-client.ts';
import { ciSettings } from './ci-settings.ts';

/** The server of the project, local or remote, through an MCP client. */
export interface CiServer extends AsyncDisposable {
  call(tool: string, args: Record<string, unknown>): Promise<unknown>;
  read(uri: string): Promise<Buffer>;
}

export async function connectCiServer(values: SettingValues): Promise<CiServer> {
  const server = values.get(ciSettings.server);
  const token = values.get(ciSettings.token);
  const asking = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await work();
    } catch (error) {
      throw toConnectionFailure(error, server, token);
    }
  };
  const client = await asking(() => (server ? connectToServer(server, token) : connectLocalServer()));
  return {
    async call(name, args) {
      const result = await asking(() => client.callTool({ name, arguments: args }));
      if (!result.isError) return result.structuredContent;
      const [content] = result.content;
      throw toToolFailure(name, content?.type === 'text' ? content.text : '');
    },
    async read(uri) {
      const { contents } = await asking(() => client.readResource({ uri }));
      const [content] = contents;
      if (content && 'blob' in content) return Buffer.from(content.blob, 'base64');
      return Buffer.from(content && 'text' in content ? content.text : '');
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Starts a server for the local data folder. Its surface is the qa toolset, whatever the environment selects. */
function connectLocalServer() {
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const narrowing = [settings.tools, settings.excludeTools, settings.readOnly].map(({ env: name }) => [name, '']);
  return connectToChild(process.execPath, [process.argv[1] ?? '', 'serve', '--no-http', '--toolsets', 'qa'], {
    cwd: process.cwd(),
    env: { ...env, ...Object.fromEntries(narrowing) },
  });
}

/** Distinguishes an unreachable server, a refusal and any other error. */
function toConnectionFailure(error: unknown, server: URL | undefined, token: string | undefined): Failure {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (!server)
    return new Failure('unavailable', 'NO_SERVER', `The local Assay server failed: ${reason}.`, {}, { cause: error });
  if (/\b40[13]\b|unauthori[sz]ed|forbidden|scope/i.test(reason)) {
    const hint = token === undefined ? `${ciSettings.token.env} is not set` : `check ${ciSettings.token.env}`;
    return new Failure(
      'configuration',
      'UNAUTHORIZED',
      `${server.host} refuses the request: ${hint}. The token needs the scope qa:write.`,
    );
  }
  const message = `The Assay server ${quote(server.href)} cannot be reached or is no MCP server (${reason.slice(0, 200)}). Set ${ciSettings.server.env} to its URL, which ends in /mcp.`;
  return new Failure('unavailable', 'NO_SERVER', message, {}, { cause: error });
}

const toolError = z.object({ error: z.string(), message: z.string() });
/** Error codes that mean bad usage of the command line. */
const usageErrors = ['INVALID_ARGUMENT', 'NOT_FOUND', 'FORBIDDEN', 'UNAUTHORIZED'];

function toToolFailure(tool: string, text: string): Failure {
  const { error, message } = toolError.safeParse(json(text)).data ?? { error: '', message: text.slice(0, 500) };
  const kind = usageErrors.includes(error) ? 'configuration' : 'unavailable';
  return new Failure(kind, error || 'FAILED', `${tool}: ${message}`);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
