import { ownerKey } from '../../platform/principal.ts';
import type { Resource } from '../../tool/tool.ts';
import { discoveryPictureTemplate } from '../discovery/session/discovery-pictures.ts';
import { sessionRegistryOf } from '../tools/discovery-context.ts';

export const discoveryPictureResource: Resource = {
  name: 'wizard-discovery-picture',
  title: 'Screenshot of a discovery',
  description: 'Page of a form during its discovery. Kept until the discovery session ends.',
  uriTemplate: discoveryPictureTemplate,
  mimeType: 'image/jpeg',
  scope: 'wizards:write',
  complete: {},
  // Each result links to its screenshot.
  list: async () => [],
  async read({ discoveryPicture = '' }, context) {
    const data = sessionRegistryOf(context).pictures.find(discoveryPicture, ownerKey(context.principal));
    return data && { data, mimeType: 'image/jpeg', path: discoveryPicture };
  },
};
