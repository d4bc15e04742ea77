/** The kinds of failure that are thrown on purpose. Anything else that is thrown is a bug, and becomes `internal`. */
export type FailureKind =
  | 'bad_input'
  | 'not_found'
  | 'conflict'
  | 'site_failed'
  | 'configuration'
  | 'unavailable'
  | 'internal';

/**
 * A failure that the caller can act on: `code` is stable, `message` names the fix, `details` are data for the toolset's
 * own error shape. Messages hold no secrets and no stack.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    kind: FailureKind,
    code: string,
    message: string,
    details: Record<string, unknown> = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'Failure';
    this.kind = kind;
    this.code = code;
    this.details = details;
  }
}

/** The `code` of a Node system error (ENOENT, EACCES …), if it has one. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const systemReasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder, not a file',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the path is too long',
  ENOSPC: 'the disk is full',
  EFBIG: 'the file would be too large for this disk',
  EROFS: 'the file system is read-only',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'too many open files',
  ERR_INVALID_ARG_VALUE: 'the path contains a NUL byte',
};

/** A system error in words a person would use; never a path or a stack. */
export function systemReason(error: unknown): string {
  const code = systemCode(error);
  return (code && systemReasons[code]) ?? (code ? `system error ${code}` : 'unknown error');
}

/** A value as it may stand in a message: JSON, cut to a length that does no harm. */
export function quote(value: unknown, limit = 120): string {
  const text = JSON.stringify(value) ?? String(value);
  if (text.length <= limit) return text;
  const { length } = typeof value === 'string' ? value : text;
  return `${text.slice(0, limit)}… (${length} characters)`;
}
