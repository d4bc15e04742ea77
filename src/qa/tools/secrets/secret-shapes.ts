import * as z from 'zod';
import type { QaSecret } from '../../store/qa-store.ts';
import { isoTime } from '../shared/run-shapes.ts';

export const secretId = z.string().min(1).max(100).describe('Id of the secret, from qa_secret_list');

export const secretArguments = {
  name: z.string().min(1).max(255).describe('Name in scripts, e.g. TEST_USER_PASSWORD'),
  // The domain checks its length, so that the value is not quoted in a message.
  value: z.string().describe('Secret value; stored encrypted, never returned'),
  description: z.string().max(2000).describe('What the secret is for'),
};

/** Output shape of a secret, without its value. */
export const secretShape = {
  secretId: z.string(),
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  secretName: z.string(),
  description: z.string().optional(),
  source: z.enum(['user', 'agent']),
  createdAt: z.string(),
  updatedAt: z.string(),
};

export function presentSecret({ id, projectId, name, description, source, createdAt, updatedAt }: QaSecret) {
  return {
    secretId: id,
    ...{ id, projectId, name },
    secretName: name,
    ...(description !== null && { description }),
    source: source === 'agent' ? ('agent' as const) : ('user' as const),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
