import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toHomeFailure } from '../../platform/environment-failure.ts';
import { makeHomeFolder, writeFileAtomic } from '../../platform/files/files.ts';
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
    home,
    principal,
    store,
    redactor,
  }: { home: string; principal: Owner; store: Pick<QaRepositories, 'artifacts'>; redactor: Redactor },
  run: Pick<RunRow, 'id' | 'projectId' | 'owner'>,
  { kind, name, contentType, data }: NewArtifact,
): Promise<Artifact> {
  if (!/^[\w.-]{1,200}$/.test(name) || name.startsWith('.')) throw new Error(`not a name for an artifact: ${name}`);
  const { id: runId, projectId, owner } = run;
  const folder = join(ownerFolder(principal), 'qa', projectId, runId);
  const file = join(folder, name);
  const bytes = typeof data === 'string' ? Buffer.from(redactor.text(data), 'utf8') : redactor.bytes(data);
  await makeHomeFolder(join(home, folder));
  // Screenshots are many and their row is written afterwards, so they need no atomic write.
  const path = join(home, file);
  const written = kind === 'screenshot' ? writeFile(path, bytes, { mode: 0o600 }) : writeFileAtomic(path, bytes);
  await written.catch((error: unknown) => {
    throw toHomeFailure(error, path);
  });
  const facts = { kind, name, file, contentType, fileSize: bytes.length };
  const before = await store.artifacts.first({ runId, name });
  if (before) return (await store.artifacts.update(before.id, facts)) ?? before;
  return store.artifacts.insert({ owner, projectId, runId, ...facts });
}

export function artifactPath(home: string, { file }: Pick<Artifact, 'file'>): string {
  return join(home, file);
}

/** Returns undefined if the file is not on this machine. */
export async function readArtifact(home: string, artifact: Artifact): Promise<Uint8Array | undefined> {
  return readFile(artifactPath(home, artifact)).catch(() => undefined);
}

/** The resource URI of an artifact. */
export function artifactUri({ id }: Pick<Artifact, 'id'>): string {
  return `qa://artifacts/${id}`;
}
