import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { updateSecret } from '../secrets/secrets.ts';
import { qaRoom } from './room.ts';
import { presentSecret, secretArguments, secretId, secretShape } from './secret-shapes.ts';

const { name, value, description } = secretArguments;

export const qaSecretUpdate = defineTool({
  name: 'qa_secret_update',
  title: 'Change a secret',
  description:
    'Change the name, value or description of a secret. What is left out stays; later runs use the new value.',
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
    return presentSecret(await updateSecret(await qaRoom(context), id, changes));
  },
});
