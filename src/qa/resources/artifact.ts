import type { Resource } from '../../mcp/tool.ts';
import { Failure } from '../../platform/errors.ts';
import { ownerKey } from '../../platform/principal.ts';
import { artifactPath, readArtifact } from '../runs/artifacts.ts';
import { type Artifact, qaStore } from '../store/store.ts';

export const artifactResource: Resource = {
  name: 'qa-artifact',
  title: 'File of a QA run',
  description: 'What a scan, replay or report left: screenshots, traces, logs, reports.',
  uriTemplate: 'qa://artifacts/{artifactId}',
  mimeType: 'application/octet-stream',
  scope: 'qa:read',
  complete: {},
  // There may be thousands: the answers that they belong to link to them.
  list: async () => [],
  async read({ artifactId = '' }, { store, principal, home }) {
    const artifact = await qaStore(await store()).artifacts.get(artifactId);
    if (artifact?.owner !== ownerKey(principal)) return undefined;
    if (principal.client === 'stdio') refuseTooLarge(home, artifact);
    const data = await readArtifact(home, artifact);
    return data && { data, mimeType: artifact.contentType };
  },
};

/** Over standard in and out many clients give up on a message of more than ten megabytes, and with it on the server. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Whoever talks like this is on this machine, and can open the file. */
function refuseTooLarge(home: string, artifact: Artifact): void {
  // In base64 it grows by a third, as text only by what must be quoted.
  const grows = /^text\/|[/+](json|xml)$/.test(artifact.contentType) ? 1.1 : 4 / 3;
  if (artifact.fileSize * grows < MOST_BYTES) return;
  const size = `${Math.round(artifact.fileSize / 1e5) / 10} MB`;
  const path = artifactPath(home, artifact);
  throw new Failure('bad_input', 'TOO_LARGE', `${artifact.name} has ${size}, too much for one message. Open ${path}.`);
}
