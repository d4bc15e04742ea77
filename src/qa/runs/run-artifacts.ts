import { join } from 'node:path';
import type { ArtifactStore } from '../../platform/artifacts/artifact-store.ts';
import { type Owner, ownerFolder } from '../../platform/principal.ts';
import type { Redactor } from '../../platform/redaction/redactor.ts';
import type { Artifact, QaRepositories, RunRow } from '../store/qa-store.ts';

export interface NewArtifact {
  /** Purpose, e.g. screenshot, trace, console, report, spec. */
  kind: string;
  /** File name of letters, digits, `.`, `_` and `-`. */
  name: string;
  contentType: string;
  data: string | Uint8Array;
}

/** Saves a file of a run with secrets redacted from uncompressed text. */
export async function saveArtifact(
  {
    artifacts,
    principal,
    store,
    redactor,
  }: { artifacts: ArtifactStore; principal: Owner; store: Pick<QaRepositories, 'artifacts'>; redactor: Redactor },
  run: Pick<RunRow, 'id' | 'projectId' | 'owner'>,
  { kind, name, contentType, data }: NewArtifact,
): Promise<Artifact> {
  if (!/^[\w.-]{1,200}$/.test(name) || name.startsWith('.')) throw new Error(`not a name for an artifact: ${name}`);
  const { id: runId, projectId, owner } = run;
  const file = join(ownerFolder(principal), 'qa', projectId, runId, name);
  const bytes = typeof data === 'string' ? Buffer.from(redactor.text(data), 'utf8') : redactor.bytes(data);
  // Screenshots are many and their row is written afterwards, so they need no atomic write.
  await artifacts.write(principal, file, bytes, { isDurable: kind !== 'screenshot' });
  const facts = { kind, name, file, contentType, fileSize: bytes.length };
  const before = await store.artifacts.first({ runId, name });
  if (before) return (await store.artifacts.update(before.id, facts)) ?? before;
  return store.artifacts.insert({ owner, projectId, runId, ...facts });
}

/** The resource URI of an artifact. */
export function artifactUri({ id }: Pick<Artifact, 'id'>): string {
  return `qa://artifacts/${id}`;
}
