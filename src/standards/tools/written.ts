import * as z from 'zod';
import type { Written } from '../setup/write-files.ts';

/** What was done to files, as data. */
export const written = {
  created: z.array(z.string()),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })).describe('There already, and kept'),
  backups: z.array(z.object({ path: z.string(), backup: z.string() })).describe('Where replaced files went'),
  notes: z.array(z.string()),
};

/** The same in words. */
export function tellWritten(head: string, { created, skipped, backups, notes }: Written & { notes: string[] }): string {
  return [
    head,
    ...created.map((path) => `created ${path}`),
    ...skipped.map(({ path, reason }) => `skipped ${path}: ${reason}`),
    ...backups.map(({ path, backup }) => `kept the old ${path} as ${backup}`),
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}
