import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { deleteSecret } from '../../secrets/secrets.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { secretId } from './secret-shapes.ts';

export const qaSecretDelete = defineTool({
  name: 'qa_secret_delete',
  title: 'Delete a secret: password, login or token',
  description:
    'Delete, remove, revoke or get rid of a stored secret (credential, password, login, API key, token). Scripts that fill it in will fail.',
  effect: 'destroy',
  scope: 'qa:write',
  input: z.object({ secretId }),
  output: z.object({ secretId: z.string(), deleted: z.literal(true) }),
  async run({ secretId: id }, context) {
    await deleteSecret(await openQaContext(context), id);
    return { secretId: id, deleted: true as const };
  },
});
