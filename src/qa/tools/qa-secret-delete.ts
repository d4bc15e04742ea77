import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { deleteSecret } from '../secrets/secrets.ts';
import { qaRoom } from './room.ts';
import { secretId } from './secret-shapes.ts';

export const qaSecretDelete = defineTool({
  name: 'qa_secret_delete',
  title: 'Delete a secret',
  description: 'Delete a secret. Scripts that fill it in fail from then on, and say why.',
  effect: 'destroy',
  scope: 'qa:write',
  input: z.object({ secretId }),
  output: z.object({ secretId: z.string(), deleted: z.literal(true) }),
  async run({ secretId: id }, context) {
    await deleteSecret(await qaRoom(context), id);
    return { secretId: id, deleted: true as const };
  },
});
