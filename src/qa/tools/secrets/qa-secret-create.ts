import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { createSecret } from '../../secrets/secrets.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentSecret, secretArguments, secretShape } from './secret-shapes.ts';

const { name, value, description } = secretArguments;

export const qaSecretCreate = defineTool({
  name: 'qa_secret_create',
  title: 'Store a secret: password, login or token',
  description:
    'Create, add, store, save or keep a secret (credential) safely: username and password, login, API key or token of a test account or demo user, which tests and scans need to sign in (log in). The value is encrypted and never returned.',
  effect: 'write',
  scope: 'qa:write',
  input: z.object({
    projectId,
    name,
    value,
    description: description.optional(),
    source: z.enum(['user', 'agent']).optional().describe('Who provided the secret; default user'),
  }),
  output: z.object(secretShape),
  async run({ projectId: id, ...facts }, context) {
    return presentSecret(await createSecret(await openQaContext(context), id, facts));
  },
});
