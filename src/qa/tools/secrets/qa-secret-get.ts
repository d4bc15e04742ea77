import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { ownSecret } from '../../secrets/secrets.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentSecret, secretId, secretShape } from './secret-shapes.ts';

export const qaSecretGet = defineTool({
  name: 'qa_secret_get',
  title: 'Details of a secret',
  description:
    'Look at one secret (credential, e.g. API token or password) without revealing its value: details, info and metadata such as description, and when it was created and last changed.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ secretId }),
  output: z.object(secretShape),
  async run(args, context) {
    return presentSecret(await ownSecret(await openQaContext(context), args.secretId));
  },
});
