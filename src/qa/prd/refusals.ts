import { Failure, quote } from '../../platform/errors.ts';

/** Why a document is not read. */
export function refuse(reason: string, message: string, cause?: unknown): Failure {
  return new Failure('bad_input', reason, message, { field: 'contentBase64' }, { cause });
}

export function damaged(fileName: string, what: string, cause: unknown): Failure {
  return refuse('DAMAGED', `${quote(fileName)} is a damaged ${what}: it cannot be read.`, cause);
}
