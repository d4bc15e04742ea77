import type { Failure, FailureKind } from '../platform/errors.ts';

const codes: Record<FailureKind, string> = {
  bad_input: 'EINVAL',
  not_found: 'ENOENT',
  conflict: 'EEXIST',
  site_failed: 'EIO',
  configuration: 'EINVAL',
  unavailable: 'EIO',
  internal: 'EIO',
};

/** The shape that the specification gives errors, with the code of the system that fits best. */
export function presentError({ kind, code, message, details }: Failure): {
  text: string;
  structured: Record<string, unknown>;
} {
  const structured = {
    success: false,
    error: message,
    command: commandOf(message, details),
    code: errnoOf(kind, code),
    ...(Array.isArray(details['problems']) && { problems: details['problems'] }),
    ...(Array.isArray(details['issues']) && { issues: details['issues'] }),
    ...(Array.isArray(details['faults']) && { faults: details['faults'] }),
  };
  return { text: JSON.stringify(structured), structured };
}

function errnoOf(kind: FailureKind, code: string): string {
  if (/^E[A-Z]+$/.test(code)) return code;
  if (code === 'PATH_NOT_ALLOWED') return 'EACCES';
  return code === 'CANCELLED' ? 'ECANCELED' : codes[kind];
}

/** Arguments are refused before a tool could say which command it is; the refusal names the tool. */
function commandOf(message: string, { command }: Failure['details']): string {
  if (typeof command === 'string') return command;
  const tool = /^Invalid arguments for caws_(\w+):/.exec(message)?.[1];
  return tool ? `caws ${tool.replaceAll('_', '-')}` : 'caws';
}
