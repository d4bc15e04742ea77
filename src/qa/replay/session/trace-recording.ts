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
  /** Only what was done, what came of it and what the console said: costs next to nothing, so it can always be had. */
  light: boolean;
}

/** Records a trace. It has no pictures of its own: those could show what the texts are cleaned of. */
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

/** Within the zip everything is compressed, so each entry is cleaned by itself. */
function redactTrace(zip: Uint8Array, redactor: Redactor): Uint8Array {
  const entries = Object.entries(unzipSync(zip)).flatMap(([name, data]) => {
    // Stack frames of this program are of no use to the reader of a trace.
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
 * Who looks for what is private has to know it: as a pattern, where no search for values would find it. Neither that nor what
 * the page answered is part of the test.
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
 * A page may show a value one element or one console message a character, between which a trace writes words of its own.
 * A snapshot whose text holds it is left out; so is every console message, where they hold it together.
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
