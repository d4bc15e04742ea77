import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { updateSecret } from '../../secrets/secrets.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentSecret, secretArguments, secretId, secretShape } from './secret-shapes.ts';

const { name, value, description } = secretArguments;

export const qaSecretUpdate = defineTool({
  name: 'qa_secret_update',
  title: 'Change a secret: new password or token',
  description:
    'Change, edit, modify, update, rotate, replace or rename a stored secret: set a new, different value of a password, login, API key or token of the test user or account, e.g. when it has expired.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    secretId,
    name: name.optional(),
    value: value.optional(),
    description: description.optional(),
  }),
  output: z.object(secretShape),
  async run({ secretId: id, ...changes }, context) {
    return presentSecret(await updateSecret(await openQaContext(context), id, changes));
  },
});
