import type { Failure, FailureKind } from '../platform/errors.ts';
import { nextStepOf } from '../platform/next-steps.ts';

const nextSteps = {
  GIT_FAILED: 'Correct what git reports, then call the tool again.',
};

const errnoByKind: Record<FailureKind, string> = {
  bad_input: 'EINVAL',
  not_found: 'ENOENT',
  conflict: 'EEXIST',
  site_failed: 'EIO',
  configuration: 'EINVAL',
  unavailable: 'EIO',
  internal: 'EIO',
};

/** Presents a failure in the shape of the specification, with the closest errno code. */
export function presentStandardsError(
  failure: Failure,
  tool: string,
): {
  text: string;
  structured: Record<string, unknown>;
} {
  const { kind, code, message, details } = failure;
  const hint = nextStepOf(failure, nextSteps);
  const structured = {
    success: false,
    error: message,
    command:
      typeof details['command'] === 'string'
        ? details['command']
        : tool.replace(/^caws_/, 'caws ').replaceAll('_', '-'),
    code: toErrno(kind, code),
    ...(hint !== undefined && { hint }),
    ...(Array.isArray(details['problems']) && { problems: details['problems'] }),
    ...(Array.isArray(details['issues']) && { issues: details['issues'] }),
    ...(Array.isArray(details['faults']) && { faults: details['faults'] }),
  };
  return { text: JSON.stringify(structured), structured };
}

function toErrno(kind: FailureKind, code: string): string {
  if (/^E[A-Z]+$/.test(code)) return code;
  if (code === 'PATH_NOT_ALLOWED') return 'EACCES';
  return code === 'CANCELLED' ? 'ECANCELED' : errnoByKind[kind];
}
