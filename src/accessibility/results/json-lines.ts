import { open } from 'node:fs/promises';
import { systemCode } from '../../platform/errors.ts';
import { unreadableResults } from './result-files.ts';

/** Yields the values of a JSON Lines file. A missing file has no values; incomplete or invalid lines are skipped. */
export async function* readJsonLines(path: string, signal?: AbortSignal): AsyncGenerator<unknown> {
  const file = await open(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unreadableResults(error);
  });
  if (!file) return;
  await using _closing = file;
  for await (const line of file.readLines({ autoClose: false })) {
    signal?.throwIfAborted();
    const value = parseJson(line);
    if (value !== undefined) yield value;
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
