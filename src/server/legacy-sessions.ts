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
  /** Returns undefined when the request belongs to no session and starts none. */
  handle(request: Request, body: unknown, caller: Caller): Promise<Response> | undefined;
  /** Returns the open transport of a session. */
  find(sessionId: string): WebStandardStreamableHTTPServerTransport | undefined;
  close(): Promise<void>;
}

/**
 * Sessions for clients of the 2025 revisions, which expect messages from the server. Each belongs to the caller who opened
 * it. At the limit, per caller or in total, the session that was idle for longest is closed, and its client starts a new
 * one.
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
    const [longestIdle] = own.length >= MOST_OF_ONE_CALLER ? own : open.size >= MOST_SESSIONS ? open : [];
    if (longestIdle) {
      open.delete(longestIdle[0]);
      await longestIdle[1].transport.close();
    }
    return transport.handleRequest(request, { authInfo: toAuthInfo(caller), parsedBody: body });
  }

  return {
    handle(request, body, caller) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return isInitializeRequest(body) ? start(request, body, caller) : undefined;
      const session = open.get(id);
      // A session of another caller looks like a missing one; 404 tells a client to initialize again.
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
