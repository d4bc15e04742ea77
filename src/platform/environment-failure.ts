import { Failure, type FailureKind, systemCode, systemReason } from './errors.ts';

/** A problem of the machine: disk, permissions, limits, network. */
export interface EnvironmentProblem {
  kind: FailureKind;
  code: string;
  /** What to do next, as a sentence. */
  fix: string;
  /** Whether another path avoids the problem. */
  isPathSpecific: boolean;
}

function problem(code: string, fix: string, kind: FailureKind = 'unavailable'): EnvironmentProblem {
  return { kind, code, fix, isPathSpecific: false };
}

function pathProblem(code: string, fix: string, kind: FailureKind = 'unavailable'): EnvironmentProblem {
  return { kind, code, fix, isPathSpecific: true };
}

export const diskFull = pathProblem('DISK_FULL', 'Free disk space, then try again.');
export const readOnly = pathProblem(
  'READ_ONLY',
  'Make the file and its folder writable, or mount the file system for writing.',
  'configuration',
);
export const accessDenied = pathProblem(
  'ACCESS_DENIED',
  'Give the user that runs Assay access to it.',
  'configuration',
);
export const diskError = pathProblem(
  'DISK_ERROR',
  'Check the disk, its quota and the file size limit, then try again.',
);
export const outOfMemory = problem('OUT_OF_MEMORY', 'Free memory, then try again.');
const fileTooLarge = pathProblem('FILE_TOO_LARGE', 'Raise the file size limit (ulimit -f).');
const tooManyFiles = problem('TOO_MANY_OPEN_FILES', 'Raise the limit (ulimit -n), or run fewer calls at a time.');
const tooManyProcesses = problem('TOO_MANY_PROCESSES', 'Raise the limit (ulimit -u), or try again in a moment.');
const busy = problem('BUSY', 'Try again in a moment.');
const missing = pathProblem('FILE_MISSING', 'Create it, or correct the path.', 'not_found');
const impossible = pathProblem('IMPOSSIBLE_PATH', 'Choose another path.', 'configuration');
const badAddress = problem('BAD_ADDRESS', 'Choose another host or port.', 'configuration');
const network = problem('NETWORK_ERROR', 'Check the address and the network, then try again.');

/** By the code of a Node system error. Any other code is not a problem of the environment. */
const bySystemCode: Record<string, EnvironmentProblem> = {
  ...{ ENOSPC: diskFull, EDQUOT: diskFull, EFBIG: fileTooLarge, EROFS: readOnly, EIO: diskError, ENOMEM: outOfMemory },
  ...{ EACCES: accessDenied, EPERM: accessDenied, EMFILE: tooManyFiles, ENFILE: tooManyFiles },
  ...{ EAGAIN: tooManyProcesses, EBUSY: busy, ETXTBSY: busy, ENOENT: missing },
  ...{ ENOTDIR: impossible, EISDIR: impossible, EEXIST: impossible, ENOTEMPTY: impossible, ENAMETOOLONG: impossible },
  ...{ ELOOP: impossible, EXDEV: impossible, EADDRINUSE: badAddress, EADDRNOTAVAIL: badAddress },
  ...{ ECONNREFUSED: network, ECONNRESET: network, ECONNABORTED: network, ETIMEDOUT: network },
  ...{ EHOSTUNREACH: network, ENETUNREACH: network, ENETDOWN: network, ENOTFOUND: network, EAI_AGAIN: network },
};

function systemProblem(error: unknown): EnvironmentProblem | undefined {
  const code = systemCode(error);
  if (code === 'ERR_INVALID_ARG_VALUE' && error instanceof Error && error.message.includes('null bytes'))
    return impossible;
  return code === undefined ? undefined : bySystemCode[code];
}

/** The resource that a problem affects, named for local and for remote callers. */
export interface AffectedResource {
  /** A path, or a phrase such as `the database of ASSAY_DATABASE_URL`. */
  name: string;
  /** The same without a path of this machine. */
  remoteName: string;
  /** How to choose another path. */
  orElse?: string;
}

/** `Cannot use <name>: <reason>. <fix>` as a typed failure, with its cause for the log. */
export function cannotUseFailure(
  { name, remoteName, orElse }: AffectedResource,
  reason: string,
  { kind, code, fix, isPathSpecific }: EnvironmentProblem,
  cause?: unknown,
): Failure {
  const say = (what: string) => `Cannot use ${what}: ${reason}. ${fix}${orElse && isPathSpecific ? ` ${orElse}` : ''}`;
  return new Failure(kind, code, say(name), {}, { cause, remoteMessage: say(remoteName) });
}

/** Describes a file or folder in the data folder. */
export function homeResource(path: string): AffectedResource {
  return { name: path, remoteName: "the server's data folder", orElse: 'Or set ASSAY_HOME to another folder.' };
}

/** Converts a system error on a path in the data folder to a typed failure; returns anything else unchanged. */
export function toHomeFailure(error: unknown, path: string): unknown {
  const known = error instanceof Failure ? undefined : systemProblem(error);
  return known ? cannotUseFailure(homeResource(path), systemReason(error), known, error) : error;
}

/** As `toHomeFailure`, for creating a folder: its parents exist, so ENOENT means that the system allows no folder there. */
export function toHomeFolderFailure(error: unknown, path: string): unknown {
  if (systemCode(error) !== 'ENOENT') return toHomeFailure(error, path);
  return cannotUseFailure(homeResource(path), 'the system does not allow a folder there', impossible, error);
}

/** For error boundaries: returns a failure unchanged and a system error as a failure. Returns undefined for a bug. */
export function toEnvironmentFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  const known = systemProblem(error);
  if (!known || !(error instanceof Error)) return undefined;
  const named = ['path', 'hostname', 'address'].map((key): unknown => Reflect.get(error, key));
  const remoteName = known === network ? 'the network' : 'a file or program of the server';
  const name = named.find((value) => typeof value === 'string') ?? remoteName;
  return cannotUseFailure({ name, remoteName }, systemReason(error), known, error);
}
