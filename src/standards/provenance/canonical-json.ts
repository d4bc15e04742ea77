import { createHash } from 'node:crypto';
import { isJsonObject } from '../../platform/json.ts';

/**
 * One text for one value: keys sorted at every depth, no white space. What JSON cannot hold is a bug and throws, since a
 * value that quietly vanishes from the text is a value that can be changed unseen.
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

/** The digest of a value to its full depth. The purpose is part of it, so that no digest can stand in for another kind. */
export function digestJson(purpose: string, value: unknown): string {
  return sha256Digest(`${purpose}\0${canonicalJson(value)}`);
}

export function sha256Digest(data: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(data).digest('hex')}`;
}
