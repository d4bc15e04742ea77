import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
};

export type ProtocolRevision = '2025-11-25' | '2026-07-28';

/** Starts a server and speaks the protocol directly, so that the cost of the client is small and the same for all servers. */
export function startStdioServer(args: string[], era: ProtocolRevision, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const waiting = new Map<number, (message: unknown) => void>();
  let buffered = '';
  let lastId = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (buffered + chunk.toString('utf8')).split('\n');
    buffered = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  const notify = (method: string) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  function request(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    const id = ++lastId;
    const sent = era === '2026-07-28' ? { ...params, _meta: ENVELOPE } : params;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: sent })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  }
  return {
    request,
    async open() {
      if (era === '2026-07-28') return;
      await request('initialize', {
        protocolVersion: era,
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      });
      notify('notifications/initialized');
    },
    /** CPU seconds of the process so far; NaN on systems other than Linux. */
    cpuSeconds(): number {
      try {
        const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        return (Number(fields[11]) + Number(fields[12])) / 100;
      } catch {
        return Number.NaN;
      }
    },
    async close() {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
