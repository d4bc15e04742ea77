import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { ownSecret } from '../secrets/secrets.ts';
import { qaRoom } from './room.ts';
import { presentSecret, secretId, secretShape } from './secret-shapes.ts';

export const qaSecretGet = defineTool({
  name: 'qa_secret_get',
  title: 'A secret without its value',
  description: 'Name, description and times of a secret. Its value is never returned.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ secretId }),
  output: z.object(secretShape),
  async run(args, context) {
    return presentSecret(await ownSecret(await qaRoom(context), args.secretId));
  },
});
