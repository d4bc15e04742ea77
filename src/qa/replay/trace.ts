import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import type { BrowserContext } from 'playwright-core';
import { newTraceFolder, removeTraceFolder } from '../../platform/browser/traces.ts';
import type { Redactor } from '../../platform/redact.ts';

export interface Recording {
  /** The trace as a zip, cleaned of secrets. Undefined where the browser is gone. */
  stop(): Promise<Uint8Array | undefined>;
}

interface RecordWishes {
  home: string;
  redactor: Redactor;
  /** Only what was done, what came of it and what the console said: costs next to nothing, so it can always be had. */
  light: boolean;
}

/** Records a trace. It has no pictures of its own: those could show what the texts are cleaned of. */
export async function record(context: BrowserContext, { home, redactor, light }: RecordWishes): Promise<Recording> {
  await context.tracing.start({ snapshots: !light, screenshots: false, sources: false });
  return {
    async stop() {
      const folder = await newTraceFolder(home);
      try {
        const path = join(folder, 'trace.zip');
        await context.tracing.stop({ path });
        return cleaned(await readFile(path), redactor);
      } catch {
        return undefined;
      } finally {
        removeTraceFolder(folder);
      }
    },
  };
}

/** Within the zip everything is compressed, so each entry is cleaned by itself. */
function cleaned(zip: Uint8Array, redactor: Redactor): Uint8Array {
  const entries = Object.entries(unzipSync(zip)).map(([name, data]) => [name, redactor.bytes(data)] as const);
  return zipSync(Object.fromEntries(entries), { level: 6 });
}
