import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { withTimeLimit } from '../time-limits.ts';

const htmlErrors = z.array(
  z.object({
    rule: z.string(),
    message: z.string(),
    selector: z.string(),
    helpUrl: z.string(),
    line: z.number(),
    column: z.number(),
    severe: z.boolean(),
  }),
);
export type HtmlError = z.infer<typeof htmlErrors>[number];

export interface HtmlValidator {
  validate(source: string, preset: string, limitMs: number): Promise<HtmlError[]>;
  close(): void;
}

const workerMessage = z.object({ id: z.number(), faults: htmlErrors.optional(), error: z.string().optional() });

/** Source of the worker thread, as text because the release bundle has one file. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { HtmlValidate, StaticConfigLoader } = require(workerData);
const validators = new Map();
function validatorOf(preset) {
  const made = validators.get(preset) ?? new HtmlValidate(new StaticConfigLoader({ root: true, extends: ['html-validate:' + preset] }));
  validators.set(preset, made);
  return made;
}
parentPort.on('message', async ({ id, source, preset }) => {
  try {
    const report = await validatorOf(preset).validateString(source);
    const faults = report.results.flatMap((result) => result.messages).map((message) => ({
      rule: message.ruleId, message: message.message, selector: message.selector ?? '', helpUrl: message.ruleUrl ?? '',
      line: message.line, column: message.column, severe: message.severity === 2,
    }));
    parentPort.postMessage({ id, faults });
  } catch (error) {
    parentPort.postMessage({ id, error: String(error) });
  }
});
`;

/** Validates HTML on a worker thread: a large page takes seconds and would block the event loop. */
export function createHtmlValidator(): HtmlValidator {
  const pending = new Map<number, { resolve(found: HtmlError[]): void; reject(error: Error): void }>();
  let thread: Worker | undefined;
  let last = 0;

  function stop(reason: string): void {
    thread?.terminate();
    thread = undefined;
    for (const { reject } of pending.values()) reject(new Error(reason));
    pending.clear();
  }

  function start(): Worker {
    const started = new Worker(THREAD, {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
      workerData: createRequire(import.meta.url).resolve('html-validate'),
    });
    started.unref();
    started.on('message', (message) => {
      const { id, faults: found, error } = workerMessage.parse(message);
      const asked = pending.get(id);
      pending.delete(id);
      if (found) asked?.resolve(found);
      else asked?.reject(new Error(error));
    });
    started.on('error', (error) => {
      if (thread === started) stop(error.message);
    });
    return started;
  }

  return {
    async validate(source, preset, limitMs) {
      thread ??= start();
      const id = ++last;
      const found = new Promise<HtmlError[]>((resolve, reject) => pending.set(id, { resolve, reject }));
      found.catch(() => {});
      thread.postMessage({ id, source, preset });
      try {
        return await withTimeLimit(limitMs, 'validating the HTML', found);
      } catch (error) {
        // Validation cannot be interrupted, so the thread is terminated and pages that wait for it fail.
        if (pending.has(id)) stop('the validator was stopped, because another page exceeded the time limit');
        throw error;
      }
    },
    close: () => stop('the scan has ended'),
  };
}
