import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { createSecret } from '../secrets/secrets.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentSecret, secretArguments, secretShape } from './secret-shapes.ts';

const { name, value, description } = secretArguments;

export const qaSecretCreate = defineTool({
  name: 'qa_secret_create',
  title: 'Create a secret',
  description:
    'Keep a credential (user name, password, token) for the tests of a project. Scans and scripts use it by name.',
  effect: 'write',
  scope: 'qa:write',
  input: z.object({
    projectId,
    name,
    value,
    description: description.optional(),
    source: z.enum(['user', 'agent']).optional().describe('Whose it is'),
  }),
  output: z.object(secretShape),
  async run({ projectId: id, ...facts }, context) {
    return presentSecret(await createSecret(await qaRoom(context), id, facts));
  },
});
