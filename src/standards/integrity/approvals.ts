import { createPublicKey } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { ProjectRepository } from '../git/repository.ts';
import { type DsseEnvelope, openEnvelope, signStatement } from '../provenance/dsse-envelope.ts';
import type { PublicKey, Signer } from '../provenance/signing.ts';
import type { Approver } from '../spec/policy.ts';
import { readProjectFileIfExists } from '../spec/project-file.ts';
import type { Weakening } from './weakening.ts';

export const approvalFolder = '.caws/approvals';
const statementType = 'https://in-toto.io/Statement/v1';
const predicateType = 'urn:assay:standards:approval:v1';
const MAX_APPROVALS = 200;

const statementSchema = z.object({
  _type: z.literal(statementType),
  predicateType: z.literal(predicateType),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })),
  predicate: z.object({ reason: z.string(), approvedAt: z.string() }),
});

/** Signs that weakenings are wanted. */
export function createApproval(
  weakenings: readonly Weakening[],
  { reason, now }: { reason: string; now: Date },
  signer: Signer,
): DsseEnvelope {
  const subject = weakenings.map(({ id, kind }) => ({ name: kind, digest: { sha256: id } }));
  const predicate = { reason, approvedAt: now.toISOString() };
  return signStatement({ _type: statementType, subject, predicateType, predicate }, signer);
}

/** Returns who approved which weakening. Only approvers of the base count, and none with a commit in the change. */
export async function readApprovals(
  root: string,
  approvers: readonly Approver[],
  authors: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const entitled = new Map<PublicKey, string>();
  for (const { name, email, publicKey } of approvers) {
    const key = toPublicKey(publicKey);
    if (key !== undefined && !authors.has(email?.toLowerCase() ?? '')) entitled.set(key, name);
  }
  const approvals = new Map<string, string>();
  if (entitled.size === 0) return approvals;
  const entries = await readdir(join(root, approvalFolder)).catch(() => []);
  for (const name of entries.filter((entry) => entry.endsWith('.json')).slice(0, MAX_APPROVALS)) {
    const file = await readProjectFileIfExists(root, `${approvalFolder}/${name}`, { maxBytes: 256 * 1024 }).catch(
      () => undefined,
    );
    const opened = openEnvelope(file?.text ?? '', [...entitled.keys()]);
    const statement = typeof opened === 'string' ? undefined : statementSchema.safeParse(opened.statement).data;
    if (typeof opened === 'string' || !statement) continue;
    for (const { digest } of statement.subject) approvals.set(digest.sha256, entitled.get(opened.key) ?? '');
  }
  return approvals;
}

/** The addresses of the authors and committers of a change. */
export async function readChangeAuthors(repository: ProjectRepository, base: string): Promise<Set<string>> {
  const args = ['--format=%ae%n%ce', `${base}..HEAD`];
  const { code, stdout } = await repository.git('log', args);
  const lines = code === 0 ? stdout.toString('utf8').toLowerCase().split('\n') : [];
  return new Set(lines.filter((line) => line !== ''));
}

/** Accepts PEM and base64 of the DER form. */
function toPublicKey(text: string): PublicKey | undefined {
  try {
    const key = text.includes('-----BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.export({ format: 'der', type: 'spki' }).toString('base64');
  } catch {
    return undefined;
  }
}
