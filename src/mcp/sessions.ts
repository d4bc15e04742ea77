import { randomUUID } from 'node:crypto';
import {
  type AuthInfo,
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

const MOST_SESSIONS = 256;

interface Session {
  transport: WebStandardStreamableHTTPServerTransport;
  owner: string | undefined;
}

export interface Sessions {
  /** Undefined where the request belongs to no session and starts none. */
  handle(request: Request, body: unknown, authInfo: AuthInfo): Promise<Response> | undefined;
  /** The open connection behind a session id. */
  find(sessionId: string): WebStandardStreamableHTTPServerTransport | undefined;
  close(): Promise<void>;
}

/**
 * Clients of the 2025 revisions expect a session that the server can speak through. Each belongs to the one who opened
 * it; when there are too many, the one that was silent for longest is closed, and its client starts a new one.
 */
export function legacySessions(createServer: (request: Request) => McpServer): Sessions {
  const open = new Map<string, Session>();

  async function start(request: Request, body: unknown, authInfo: AuthInfo): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void open.set(id, { transport, owner: authInfo.clientId }),
      onsessionclosed: (id) => void open.delete(id),
    });
    const server = createServer(request);
    await server.connect(transport);
    const [longestSilent] = open;
    if (open.size >= MOST_SESSIONS && longestSilent) {
      open.delete(longestSilent[0]);
      await longestSilent[1].transport.close();
    }
    return transport.handleRequest(request, { authInfo, parsedBody: body });
  }

  return {
    handle(request, body, authInfo) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return isInitializeRequest(body) ? start(request, body, authInfo) : undefined;
      const session = open.get(id);
      if (!session || session.owner !== authInfo.clientId) return Promise.resolve(unknownSession());
      open.delete(id);
      open.set(id, session);
      return session.transport.handleRequest(request, { authInfo, ...(body !== undefined && { parsedBody: body }) });
    },
    find: (id) => open.get(id)?.transport,
    async close() {
      await Promise.all([...open.values()].map(({ transport }) => transport.close()));
      open.clear();
    },
  };
}

/** 404 tells a client to initialize again; somebody else's session is answered like one that never was. */
function unknownSession(): Response {
  const error = { code: -32001, message: 'Session not found. Initialize again.' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}
