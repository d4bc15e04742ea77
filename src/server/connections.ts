import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** Marks a connection as used by an authenticated caller until the signal is aborted. */
  authenticated(socket: Socket, signal: AbortSignal): void;
}

/**
 * Keeps at most `most` connections open and always accepts a new one, so that health checks are answered. At the limit it
 * closes the oldest connection without an authenticated request, then the oldest idle one. Connections with a running
 * request stay open; their number is limited per caller.
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
