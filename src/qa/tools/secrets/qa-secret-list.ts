import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { listSecrets } from '../../secrets/secrets.ts';
import { mapPage, pageArguments, pageShape } from '../../store/result-page.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentSecret, secretShape } from './secret-shapes.ts';

export const qaSecretList = defineTool({
  name: 'qa_secret_list',
  title: 'List secrets: stored passwords and logins',
  description:
    'List the stored secrets of a project: names of the saved passwords, logins, credentials, API keys and tokens that exist already.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId, ...pageArguments }),
  output: z.object(pageShape(z.object(secretShape))),
  async run({ projectId: id, ...request }, context) {
    return mapPage(await listSecrets(await openQaContext(context), id, request), presentSecret);
  },
});
