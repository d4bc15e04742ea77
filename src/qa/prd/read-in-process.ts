import { randomUUID } from 'node:crypto';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type Failure, quote } from '../../platform/errors.ts';
import { makeHomeFolder } from '../../platform/files/files.ts';
import { childEnvironment } from '../../platform/process/child-environment.ts';
import { runProgram } from '../../platform/process/run-program.ts';
import type { QaContext } from '../qa-context.ts';
import { documentError } from './document-errors.ts';
import { requirementKinds } from './find-requirements.ts';
import type { PrdText } from './read-prd-document.ts';

const MOST_MEGABYTES = 512;
const TIME_LIMIT_MS = 60_000;

/** Output of the child process. */
const documentAnswer = z.union([
  z.object({
    ok: z.literal(true),
    contentType: z.string(),
    text: z.string(),
    requirements: z.array(
      z.object({
        kind: z.enum(requirementKinds),
        ref: z.string().nullable(),
        section: z.string().nullable(),
        text: z.string(),
      }),
    ),
  }),
  z.object({ ok: z.literal(false), reason: z.string(), message: z.string() }),
]);

export type DocumentAnswer = z.output<typeof documentAnswer>;

/**
 * Reads a document in a process of its own, with bounds on its memory and time: whatever a hostile file does to a parser, it
 * does not do to the server.
 */
export async function readInProcess(
  { home, self, signal }: Pick<QaContext, 'home' | 'self' | 'signal'>,
  bytes: Uint8Array,
  { fileName, contentType }: { fileName: string; contentType: string },
): Promise<PrdText> {
  const folder = join(home, 'qa', 'uploads');
  const path = join(folder, randomUUID());
  await makeHomeFolder(folder);
  await removeLeftovers(folder);
  try {
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
    // As JSON, because a name may look like a flag.
    const called = JSON.stringify({ fileName, contentType });
    const args = [`--max-old-space-size=${MOST_MEGABYTES}`, ...self, 'read-document', path, called];
    const env = childEnvironment();
    const { code, stdout } = await runProgram(process.execPath, args, { signal, timeoutMs: TIME_LIMIT_MS, env }).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        throw tooExpensive(fileName, error);
      },
    );
    if (code !== 0) throw tooExpensive(fileName, code);
    // Parsers may print warnings before the answer.
    const printed = stdout.toString('utf8').trimEnd();
    const answer = documentAnswer.parse(JSON.parse(printed.slice(printed.lastIndexOf('\n') + 1)));
    if (answer.ok) return answer;
    throw documentError(answer.reason, answer.message);
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes files that a killed server left. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another server may remove the file concurrently.
    const written = await stat(path).catch(() => undefined);
    if (written && Date.now() - written.mtimeMs > 2 * TIME_LIMIT_MS) await rm(path, { force: true });
  }
}

function tooExpensive(fileName: string, cause: unknown): Failure {
  const message = `${quote(fileName)} takes more time or memory to read than a document should, and is not read.`;
  return documentError('BOMB', message, cause);
}
