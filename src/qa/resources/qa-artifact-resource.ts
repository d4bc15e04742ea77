import { ownerKey } from '../../platform/principal.ts';
import type { Resource } from '../../tool/tool.ts';
import { createQaStore } from '../store/qa-store.ts';

export const qaArtifactResource: Resource = {
  name: 'qa-artifact',
  title: 'File of a QA run',
  description: 'File stored by a website scan, test run or report: screenshot, trace, log or report.',
  uriTemplate: 'qa://artifacts/{artifactId}',
  mimeType: 'application/octet-stream',
  scope: 'qa:read',
  complete: {},
  // There may be thousands of artifacts; results link to them.
  list: async () => [],
  async read({ artifactId = '' }, { store, principal, artifacts }) {
    const artifact = await createQaStore(await store()).artifacts.get(artifactId);
    if (artifact?.owner !== ownerKey(principal)) return undefined;
    const { file, contentType } = artifact;
    const files = await artifacts();
    const data = await files.read(principal, file);
    return data && { data, mimeType: contentType, path: files.localPath(file) ?? file };
  },
};
