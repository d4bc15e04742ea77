import { readFile, rm } from 'node:fs/promises';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { BrowserContext } from 'playwright-core';
import { writeFileAtomic } from '../../platform/files.ts';
import { isJsonObject, type Json, type JsonObject } from '../../platform/json.ts';

export interface Trace {
  /** Writes what is safe to keep of the trace. */
  keep(path: string, secrets: readonly string[]): Promise<void>;
  drop(): Promise<void>;
}

/**
 * A Playwright trace without pictures, page contents and traffic: those would be full of what somebody entered, and no
 * search for values finds them all. What is left is the course of the actions.
 */
export async function startTrace(context: BrowserContext): Promise<Trace> {
  await context.tracing.start({ snapshots: false, screenshots: false, sources: false });
  return {
    async keep(path, secrets) {
      const raw = `${path}.raw`;
      try {
        await context.tracing.stop({ path: raw });
        await writeFileAtomic(path, scrubbed(await readFile(raw), secrets));
      } finally {
        await rm(raw, { force: true });
      }
    },
    drop: () => context.tracing.stop(),
  };
}

/** Only lists of actions stay, and of an action only what says which one it was and how it ended. */
function scrubbed(zip: Uint8Array, secrets: readonly string[]): Uint8Array {
  const kept: Record<string, Uint8Array> = {};
  for (const [name, content] of Object.entries(unzipSync(zip))) {
    if (!name.endsWith('.trace')) continue;
    const lines = strFromU8(content)
      .split('\n')
      .flatMap((line) => scrubbedLine(line, secrets) ?? []);
    kept[name] = strToU8(`${lines.join('\n')}\n`);
  }
  // The viewer expects the list of requests to be there, if empty.
  kept['trace.network'] = strToU8('');
  return zipSync(kept);
}

const eventTypes = ['context-options', 'before', 'after', 'action'];
const plainKeys = [
  'type',
  'callId',
  'stepId',
  'parentId',
  'startTime',
  'endTime',
  'class',
  'method',
  'pageId',
  'version',
  'origin',
  'browserName',
  'platform',
  'wallTime',
  'monotonicTime',
  'contextId',
  'playwrightVersion',
  'libraryName',
  'testIdAttributeName',
];
const keptParams = ['selector', 'timeout', 'state', 'strict', 'waitUntil'];

function scrubbedLine(line: string, secrets: readonly string[]): string | undefined {
  if (line.trim() === '') return undefined;
  const event: unknown = JSON.parse(line);
  if (!isJsonObject(event) || !eventTypes.includes(String(event['type']))) return undefined;
  const kept = pick(event, plainKeys);
  const params = event['params'];
  if (isJsonObject(params)) kept['params'] = hide(pick(params, keptParams), secrets);
  if (event['type'] === 'context-options') kept['options'] = {};
  if (isJsonObject(event['error'])) kept['error'] = { message: 'failed', name: 'Error' };
  return JSON.stringify(kept);
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
}

/** A selector may name a choice that was made. */
function hide(value: Json, secrets: readonly string[]): Json {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, '•'), value);
  if (Array.isArray(value)) return value.map((one) => hide(one, secrets));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hide(one, secrets)]));
  return value;
}
