import { ownerKey } from '../../platform/principal.ts';
import type { Resource } from '../../tool/tool.ts';
import { artifactPath, readArtifact } from '../runs/run-artifacts.ts';
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
  async read({ artifactId = '' }, { store, principal, home }) {
    const artifact = await createQaStore(await store()).artifacts.get(artifactId);
    if (artifact?.owner !== ownerKey(principal)) return undefined;
    const data = await readArtifact(home, artifact);
    return data && { data, mimeType: artifact.contentType, path: artifactPath(home, artifact) };
  },
};
