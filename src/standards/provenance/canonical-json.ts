import { createHash } from 'node:crypto';
import { isJsonObject } from '../../platform/json.ts';

/**
 * Serializes a value in one canonical form: keys sorted at every depth, no white space. Throws on values that JSON cannot
 * hold, because a value missing from the text could be changed unnoticed.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
    return `{${members.join(',')}}`;
  }
  throw new TypeError(`${typeof value} has no canonical JSON`);
}

/** The digest of a value. It includes the purpose, so that a digest cannot be used for another kind of value. */
export function digestJson(purpose: string, value: unknown): string {
  return sha256Digest(`${purpose}\0${canonicalJson(value)}`);
}

export function sha256Digest(data: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(data).digest('hex')}`;
}
