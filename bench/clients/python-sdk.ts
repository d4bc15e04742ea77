import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { ConnectedClient, ServerAddress } from './clients.ts';

const run = promisify(execFile);
const LIMITS = { maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };

/** Whether `python3` has the Python SDK 2. It is not installed here: it belongs to the Python of the machine. */
export function hasPythonSdk(): Promise<boolean> {
  return run('python3', ['-c', 'import mcp.client.client'], LIMITS).then(
    () => true,
    () => false,
  );
}

export function pythonSdk({ stdio, http }: ServerAddress): ConnectedClient {
  const address = JSON.stringify({ stdio, ...(http && { http }) });
  const ask = async (operation: string, argument = ''): Promise<unknown> => {
    const program = join(import.meta.dirname, 'python-sdk.py');
    return JSON.parse((await run('python3', [program, address, operation, argument], LIMITS)).stdout);
  };
  return {
    list: async () => z.number().parse(await ask('list')),
    call: (lcovPath) => ask('call', lcovPath),
    resources: async () => z.array(z.string()).parse(await ask('resources')),
    read: (uri) => ask('read', uri),
    prompt: () => ask('prompt'),
    complete: async () => z.array(z.string()).parse(await ask('complete')),
    progress: async (lcovPath) => z.number().parse(await ask('progress', lcovPath)),
    cancel: async (lcovPath) => void (await ask('cancel', lcovPath)),
    close: async () => {},
  };
}
