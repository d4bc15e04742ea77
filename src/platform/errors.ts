import { escapeText } from './text/untrusted-text.ts';

/** The kinds of failures that are thrown on purpose. Any other error is a bug and becomes `internal`. */
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
 * own error shape. Messages hold no secrets and no stack. `message` may name a path of this machine; `remoteMessage` says
 * the same without it, for callers on other machines and for stored results.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly remoteMessage: string;

  constructor(
    kind: FailureKind,
    code: string,
    message: string,
    details: Record<string, unknown> = {},
    { remoteMessage = message, ...options }: { cause?: unknown; remoteMessage?: string } = {},
  ) {
    super(message, options);
    this.name = 'Failure';
    this.kind = kind;
    this.code = code;
    this.details = details;
    this.remoteMessage = remoteMessage;
  }

  /** The same failure with the message for a caller on another machine. */
  forRemoteCaller(): Failure {
    if (this.remoteMessage === this.message) return this;
    return new Failure(this.kind, this.code, this.remoteMessage, this.details, { cause: this.cause });
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
  EEXIST: 'something else already has this name',
  ENOTEMPTY: 'the folder is not empty',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the path is too long',
  EXDEV: 'source and target lie on different file systems',
  ENOSPC: 'the disk is full',
  EFBIG: 'the file would be too large for this disk',
  EROFS: 'the file system is read-only',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reports an error',
  EBUSY: 'another program uses it',
  ETXTBSY: 'another program uses it',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  ENOMEM: 'no memory is left',
  EAGAIN: 'no process can be started',
  EADDRINUSE: 'the address is in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed by the other side',
  ECONNABORTED: 'the connection was aborted',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENETDOWN: 'the network is down',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved',
  ERR_INVALID_ARG_VALUE: 'the path contains a NUL byte',
};

/** Describes a system error in plain words, without a path or a stack. */
export function systemReason(error: unknown): string {
  const code = systemCode(error);
  return (code && systemReasons[code]) ?? (code ? `system error ${code}` : 'unknown error');
}

/**
 * Formats a value for a message: JSON with invisible characters escaped, cut to `limit` characters. The cost depends on
 * `limit`, not on the size of the value.
 */
export function quote(value: unknown, limit = 120): string {
  const text = escapeText(JSON.stringify(beginning(value, { left: limit })) ?? String(value));
  const cut = typeof value === 'string' && value.length > limit ? ` (${value.length} characters)` : '';
  return text.length > limit || cut ? `${text.slice(0, limit)}…${cut}` : text;
}

/** Returns the start of a value that fills `left` characters of JSON. */
function beginning(value: unknown, budget: { left: number }): unknown {
  if (budget.left < 0) return undefined;
  if (typeof value === 'string') {
    const start = value.slice(0, budget.left + 1);
    budget.left -= start.length;
    return start;
  }
  budget.left--;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  const members: [string, unknown][] = [];
  for (const key in value) {
    if (budget.left < 0) break;
    budget.left -= key.length;
    members.push([key, beginning(Reflect.get(value, key), budget)]);
  }
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}
