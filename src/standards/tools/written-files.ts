import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import type { WrittenFiles } from '../setup/write-project-files.ts';

/** Result fields that list written files. */
export const writtenFilesFields = {
  created: untrustedName(z.array(z.string())),
  skipped: z
    .array(z.object({ path: untrustedName(z.string()), reason: untrusted(z.string(), { max: 2_000 }) }))
    .describe('Files that existed already and were kept, with the reason'),
  backups: z
    .array(z.object({ path: untrustedName(z.string()), backup: untrustedName(z.string()) }))
    .describe('Replaced files, with the paths of their backups'),
  notes: untrusted(z.array(z.string()), { max: 2_000 }),
};

/** Formats the same as text lines. */
export function formatWrittenFiles(
  head: string,
  { created, skipped, backups, notes }: WrittenFiles & { notes: string[] },
): string {
  return [
    head,
    ...created.map((path) => `created ${path}`),
    ...skipped.map(({ path, reason }) => `skipped ${path}: ${reason}`),
    ...backups.map(({ path, backup }) => `kept the old ${path} as ${backup}`),
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}
