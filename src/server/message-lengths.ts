import { isJsonObject } from '../platform/json.ts';

const LONGEST_URI = 8192;
const LONGEST_NAME = 1024;

/** Members that a response may repeat, by their keys. */
const LIMITS: readonly (readonly [keys: readonly string[], limit: number])[] = [
  [['id'], LONGEST_NAME],
  [['method'], LONGEST_NAME],
  [['params', 'name'], LONGEST_NAME],
  [['params', 'uri'], LONGEST_URI],
  [['params', 'protocolVersion'], LONGEST_NAME],
  [['params', 'ref', 'type'], LONGEST_NAME],
  [['params', 'ref', 'name'], LONGEST_NAME],
  [['params', 'ref', 'uri'], LONGEST_URI],
  [['params', '_meta', 'progressToken'], LONGEST_NAME],
  [['params', '_meta', 'io.modelcontextprotocol/protocolVersion'], LONGEST_NAME],
];

/**
 * Checks the members of a message that its response may repeat, so that responses that are not read hold little memory.
 * Returns the exceeded limit as a clause, or undefined.
 */
export function checkMessageLengths(message: unknown): string | undefined {
  for (const [keys, limit] of LIMITS) {
    const value = keys.reduce<unknown>((parent, key) => (isJsonObject(parent) ? parent[key] : undefined), message);
    if (typeof value === 'string' && value.length > limit)
      return `${keys.join('.')} may have at most ${limit} characters; this one has ${value.length}`;
  }
  return undefined;
}
