import { Failure, quote } from '../../platform/errors.ts';

/** Error for a document that cannot be read. */
export function documentError(reason: string, message: string, cause?: unknown): Failure {
  return new Failure('bad_input', reason, message, { field: 'contentBase64' }, { cause });
}

export function damagedDocument(fileName: string, what: string, cause: unknown): Failure {
  return documentError('DAMAGED', `${quote(fileName)} is a damaged ${what}: it cannot be read.`, cause);
}
