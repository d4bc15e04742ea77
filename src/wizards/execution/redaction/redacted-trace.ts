import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { BrowserContext } from 'playwright-core';
import type { BrowserPool } from '../../../platform/browser/browser-pool.ts';
import { writeFileAtomic } from '../../../platform/files/files.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../platform/json.ts';
import type { StoredWizard } from '../../files/wizard-folder.ts';
import type { RunRedactor } from './run-redactor.ts';

interface TraceRedaction {
  stored: StoredWizard;
  redactor: RunRedactor;
}

/** A trace of one run. Disposal deletes everything except kept traces. */
export interface RunTrace extends AsyncDisposable {
  /** Writes the redacted trace to the path. */
  keep(path: string, scruples: TraceRedaction): Promise<void>;
}

/**
 * A Playwright trace without screenshots, page contents and network traffic, because a search for values would not find
 * all user data in them. The course of the actions remains.
 */
export async function startRunTrace(
  context: BrowserContext,
  browsers: Pick<BrowserPool, 'removeTrace'>,
): Promise<RunTrace> {
  const name = randomUUID();
  await context.tracing.start({ name, snapshots: false, screenshots: false, sources: false });
  return {
    async keep(path, scruples) {
      const raw = `${path}.raw`;
      try {
        await context.tracing.stop({ path: raw });
        await writeFileAtomic(path, scrubbed(await readFile(raw), hider(scruples)));
      } finally {
        await rm(raw, { force: true });
      }
    },
    async [Symbol.asyncDispose]() {
      // Tracing may have stopped already, or ended with its browser.
      await context.tracing.stop().catch(() => {});
      await browsers.removeTrace(name).catch(() => {});
    },
  };
}

/** Keeps the action lists only, and of each action only its name and its result. */
function scrubbed(zip: Uint8Array, hide: (text: string) => string): Uint8Array {
  const kept: Record<string, Uint8Array> = {};
  for (const [name, content] of Object.entries(unzipSync(zip))) {
    if (!name.endsWith('.trace')) continue;
    const lines = strFromU8(content)
      .split('\n')
      .flatMap((line) => scrubbedLine(line, hide) ?? []);
    kept[name] = strToU8(`${lines.join('\n')}\n`);
  }
  // The viewer requires the network list, even if it is empty.
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

function scrubbedLine(line: string, hide: (text: string) => string): string | undefined {
  if (line.trim() === '') return undefined;
  const event: unknown = JSON.parse(line);
  if (!isJsonObject(event) || !eventTypes.includes(String(event['type']))) return undefined;
  const kept = pick(event, plainKeys);
  const params = event['params'];
  if (isJsonObject(params)) kept['params'] = hidden(pick(params, keptParams), hide);
  if (event['type'] === 'context-options') kept['options'] = {};
  if (isJsonObject(event['error'])) kept['error'] = { message: 'failed', name: 'Error' };
  return JSON.stringify(kept);
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
}

/** Redacts selectors: the selector of an option reveals the choice, and any selector may contain user data. */
function hider({ stored, redactor }: TraceRedaction): (text: string) => string {
  const fields = stored.wizard.pages.flatMap((page) => page.fields.flatMap((one) => [one, ...(one.sub_fields ?? [])]));
  const options = fields.flatMap(({ options: all = [] }) => all);
  const ways = options.flatMap(({ selector = '', locators = [], label, value }) => [
    selector,
    ...locators,
    label,
    value,
  ]);
  const revealing = [...new Set(ways)].filter((way) => way.length > 1);
  // In an old file, the selector of the field is the selector of its example option.
  const own = fields.filter(({ field_type }) => field_type === 'radio').map(({ selector }) => selector);
  return (text) => ([...revealing, ...own].some((way) => text.includes(way)) ? '(option)' : redactor.pageText(text));
}

function hidden(value: Json, hide: (text: string) => string): Json {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((one) => hidden(one, hide));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hidden(one, hide)]));
  return value;
}
