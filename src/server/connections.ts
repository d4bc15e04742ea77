import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** The connection serves an authenticated caller, until the signal is aborted. */
  authenticated(socket: Socket, signal: AbortSignal): void;
}

/**
 * Keeps at most `most` connections open and always takes a new one, so that a health check is answered whatever others
 * hold open. When there are too many, the oldest one that never had an authenticated request is closed, then the oldest
 * one that has none under way. Connections of requests under way are not closed: those are bounded for each caller.
 */
export function limitConnections(server: Server, most: number): Connections {
  const strangers = new Set<Socket>();
  const idle = new Set<Socket>();
  const busy = new Set<Socket>();

  server.on('connection', (socket: Socket) => {
    if (strangers.size + idle.size + busy.size >= most) closeOldest();
    strangers.add(socket);
    socket.once('close', () => {
      for (const set of [strangers, idle, busy]) set.delete(socket);
    });
  });

  function closeOldest(): void {
    const set = strangers.size > 0 ? strangers : idle;
    const [oldest] = set;
    if (!oldest) return;
    set.delete(oldest);
    oldest.destroy();
  }

  return {
    authenticated(socket, signal) {
      if (signal.aborted || socket.destroyed) return;
      strangers.delete(socket);
      idle.delete(socket);
      busy.add(socket);
      const release = () => {
        if (busy.delete(socket) && !socket.destroyed) idle.add(socket);
      };
      signal.addEventListener('abort', release, { once: true });
    },
  };
}
