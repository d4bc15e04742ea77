import type { Resource } from '../../tool/tool.ts';
import { readRunPicture, runPictureTemplate } from '../execution/record/run-record.ts';
import { ownerWizards } from '../tools/owner-wizards.ts';

export const runPictureResource: Resource = {
  name: 'wizard-run-picture',
  title: 'Screenshot of a wizard run',
  description: 'Page of a form that federalrunner_execute_wizard filled in, or where it failed. Kept with the run.',
  uriTemplate: runPictureTemplate,
  mimeType: 'image/jpeg',
  scope: 'federalrunner:read',
  complete: {},
  // A wizard may have hundreds; results link to them.
  list: async () => [],
  read: ({ runPicture = '' }, context) => readRunPicture(ownerWizards(context).runs, runPicture),
};
