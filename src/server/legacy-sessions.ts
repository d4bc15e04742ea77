import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type Caller, callerKey, toAuthInfo } from './auth.ts';
import { refusalResponse } from './web-exchange.ts';

const MOST_SESSIONS = 1024;
const MOST_OF_ONE_CALLER = 64;

interface LegacySession {
  transport: WebStandardStreamableHTTPServerTransport;
  owner: string;
}

export interface LegacySessions {
  /** Undefined where the request belongs to no session and starts none. */
  handle(request: Request, body: unknown, caller: Caller): Promise<Response> | undefined;
  /** The open connection behind a session id. */
  find(sessionId: string): WebStandardStreamableHTTPServerTransport | undefined;
  close(): Promise<void>;
}

/**
 * Clients of the 2025 revisions expect a session that the server can speak through. Each belongs to the one who opened
 * it; when there are too many, of one caller or of all, the one that was silent for longest is closed, and its
 * client starts a new one.
 */
export function createLegacySessions(createServer: (request: Request) => McpServer): LegacySessions {
  const open = new Map<string, LegacySession>();

  async function start(request: Request, body: unknown, caller: Caller): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void open.set(id, { transport, owner: callerKey(caller) }),
      onsessionclosed: (id) => void open.delete(id),
    });
    const server = createServer(request);
    await server.connect(transport);
    const own = [...open].filter(([, session]) => session.owner === callerKey(caller));
    const [longestSilent] = own.length >= MOST_OF_ONE_CALLER ? own : open.size >= MOST_SESSIONS ? open : [];
    if (longestSilent) {
      open.delete(longestSilent[0]);
      await longestSilent[1].transport.close();
    }
    return transport.handleRequest(request, { authInfo: toAuthInfo(caller), parsedBody: body });
  }

  return {
    handle(request, body, caller) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return isInitializeRequest(body) ? start(request, body, caller) : undefined;
      const session = open.get(id);
      // Somebody else's session is answered like one that never was; 404 tells a client to initialize again.
      if (!session || session.owner !== callerKey(caller))
        return Promise.resolve(refusalResponse(404, -32001, 'Session not found. Initialize again.'));
      open.delete(id);
      open.set(id, session);
      const authInfo = toAuthInfo(caller);
      return session.transport.handleRequest(request, { authInfo, ...(body !== undefined && { parsedBody: body }) });
    },
    find: (id) => open.get(id)?.transport,
    async close() {
      await Promise.all([...open.values()].map(({ transport }) => transport.close()));
      open.clear();
    },
  };
}
