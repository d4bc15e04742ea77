import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import * as z from 'zod';
import { Failure } from '../platform/errors.ts';
import { type Command, printStdout } from './command.ts';

const MOST_MEMORY = 768 * 1024 * 1024;
const LOOK_EVERY_MS = 50;
const calledAs = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('not JSON');
      return z.NEVER;
    }
  })
  .pipe(z.object({ fileName: z.string(), contentType: z.string() }));

/**
 * Internal command: an upload starts it to parse a document in a separate process. A worker thread parses, and the main
 * thread watches the memory, because no option of Node limits buffers.
 */
export const readDocumentCommand: Command = {
  name: 'read-document',
  usage: '<file> <JSON: fileName, contentType>',
  summary: 'Internal: print the text of a PDF, Word, text or Markdown file as JSON. Uploads start it.',
  settings: [],
  async run(args) {
    const [path, text = ''] = args;
    const called = calledAs.safeParse(text).data;
    if (path === undefined || !called)
      throw new Failure(
        'configuration',
        'BAD_USAGE',
        'read-document needs a file, and JSON with fileName and contentType.',
      );
    if (isMainThread) {
      await printStdout(await watch(args));
      return 0;
    }
    const { readUpload } = await import('../qa/index.ts');
    parentPort?.postMessage(
      JSON.stringify(await readUpload(await readFile(path), called.fileName, called.contentType)),
    );
    return 0;
  },
};

function watch(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new Worker(realpathSync(process.argv[1] ?? ''), { argv: ['read-document', ...args] });
    const guard = setInterval(() => {
      if (process.memoryUsage.rss() > MOST_MEMORY)
        reject(new Failure('bad_input', 'BOMB', 'It needs too much memory.'));
    }, LOOK_EVERY_MS);
    reader.on('message', (answer: unknown) => resolve(String(answer)));
    reader.on('error', reject);
    reader.on('exit', () => {
      clearInterval(guard);
      reject(new Failure('bad_input', 'DAMAGED', 'It could not be read.'));
    });
  });
}
