import * as z from 'zod';

/** How the strings below a schema are presented. */
export interface UntrustedMark {
  /** Most characters of one string in a result. */
  max: number;
  /** `name`: a file name or another identifier; its invisible characters are shown instead of removed. */
  kind: 'text' | 'name';
}

const marks = z.registry<UntrustedMark>();

const MOST_CHARACTERS = 1_000;
/** Most characters of a file name, a path or a key. */
export const MOST_NAME_CHARACTERS = 4_096;

/**
 * Marks a schema of a tool's output: the strings below it come from a page, a repository or a document. The tool boundary
 * cleans them, cuts each at `max` characters (default 1,000), and names their position in the result's `_meta`.
 *
 *     output: z.object({ title: untrusted(z.string(), { max: 300 }) })
 */
export function untrusted<Schema extends z.ZodType>(schema: Schema, { max = MOST_CHARACTERS } = {}): Schema {
  const marked = schema.clone() as Schema;
  marks.add(marked, { max, kind: 'text' });
  return marked;
}

/** Marks a file name, a path or a branch name from a repository; invisible characters in it are shown as escapes. */
export function untrustedName<Schema extends z.ZodType>(schema: Schema): Schema {
  const marked = schema.clone() as Schema;
  marks.add(marked, { max: MOST_NAME_CHARACTERS, kind: 'name' });
  return marked;
}

/** Returns the mark of a schema. Schemas derived from it, for example by `describe`, have it too. */
export function getUntrustedMark(schema: z.core.$ZodType): UntrustedMark | undefined {
  return marks.get(schema as z.ZodType);
}
