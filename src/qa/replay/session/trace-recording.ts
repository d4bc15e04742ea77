import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { BrowserContext } from 'playwright-core';
import * as z from 'zod';
import { createTraceFolder, removeTraceFolder } from '../../../platform/browser/trace-folder.ts';
import type { Json } from '../../../platform/json.ts';
import type { PrivateText } from '../../../platform/page/capture/private-text.ts';
import type { Redactor } from '../../../platform/redaction/redactor.ts';

export interface TraceRecording {
  /** The trace as a zip, without secrets. Undefined if the browser has ended or the disk is full. */
  stop(): Promise<Uint8Array | undefined>;
}

interface TraceOptions {
  home: string;
  redactor: Redactor;
  /** Records only actions, results and console messages, which costs little. */
  light: boolean;
}

/** Records a trace without pictures, which could show the secrets that are removed from texts. */
export async function startTraceRecording(
  context: BrowserContext,
  { home, redactor, light }: TraceOptions,
): Promise<TraceRecording> {
  await context.tracing.start({ snapshots: !light, screenshots: false, sources: false });
  return {
    async stop() {
      let folder: string | undefined;
      try {
        folder = await createTraceFolder(home);
        const path = join(folder, 'trace.zip');
        await context.tracing.stop({ path });
        return redactTrace(await readFile(path), redactor);
      } catch {
        return undefined;
      } finally {
        removeTraceFolder(folder);
      }
    },
  };
}

/** The entries of the zip are compressed, so each is redacted separately. */
function redactTrace(zip: Uint8Array, redactor: Redactor): Uint8Array {
  const entries = Object.entries(unzipSync(zip)).flatMap(([name, data]) => {
    // Stack frames of this program do not help readers of a trace.
    if (name.endsWith('.stacks')) return [];
    const plain = name.endsWith('.trace')
      ? strToU8(withoutSplitValues(withoutPrivateSearches(strFromU8(data)), redactor))
      : data;
    return [[name, redactor.bytes(plain)] as const];
  });
  return zipSync(Object.fromEntries(entries), { level: 6 });
}

const call = z.looseObject({
  type: z.enum(['before', 'after']),
  callId: z.string(),
});

/**
 * A search for private text passes it to the page as a pattern, which a search for the values does not find. Neither the
 * pattern nor the answer of the page is part of the test.
 */
function withoutPrivateSearches(trace: string): string {
  const looks = new Set<string>();
  const lines = trace.split('\n').map((line) => {
    if (!line.startsWith('{"type":"before"') && !line.startsWith('{"type":"after"')) return line;
    const { callId, ...others } = call.parse(JSON.parse(line));
    if (line.includes(PRIVATE_PATTERN_KEY)) looks.add(callId);
    return looks.has(callId) ? JSON.stringify({ ...others, callId, params: {}, result: undefined }) : line;
  });
  return lines.join('\n');
}

const snapshot = z.looseObject({ snapshot: z.looseObject({ html: z.json() }) });
const consoleMessage = z.looseObject({ text: z.string() });

/**
 * A page may show a value with one element or console message per character, which a trace separates with other text.
 * Removes snapshots whose text contains the value, and all console messages if together they contain it.
 */
function withoutSplitValues(trace: string, redactor: Redactor): string {
  const lines = trace.split('\n').filter((line) => {
    if (!line.startsWith('{"type":"frame-snapshot"')) return true;
    return !redactor.finds(textIn(snapshot.parse(JSON.parse(line)).snapshot.html));
  });
  const isConsole = (line: string) => line.startsWith('{"type":"console"');
  const said = lines.filter(isConsole).map((line) => consoleMessage.parse(JSON.parse(line)).text);
  return (redactor.finds(said.join('\n')) ? lines.filter((line) => !isConsole(line)) : lines).join('\n');
}

/** The text of a node of a snapshot: a string, or `[name, attributes, ...children]`. */
function textIn(node: Json): string {
  if (typeof node === 'string') return node;
  return Array.isArray(node) && typeof node[0] === 'string' ? node.slice(2).map(textIn).join('') : '';
}

/** A key of `PrivateText`, as a trace writes it. */
const PRIVATE_PATTERN_KEY = `"k":"${'alone' satisfies keyof PrivateText}"`;
