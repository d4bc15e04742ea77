import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../platform/errors.ts';
import { writeFileAtomic } from '../../platform/files/files.ts';
import { evaluateProject } from '../evaluation/evaluate.ts';
import { loadSignerFile } from '../provenance/signing.ts';
import { openProject } from '../spec/project.ts';
import { resolveInside } from '../spec/project-file.ts';
import { defaultSpecFile } from '../spec/working-spec.ts';
import { approvalFolder, createApproval } from './approvals.ts';
import { listUnapproved, type Weakening } from './weakening.ts';

export interface ApprovalRequest {
  cwd: string;
  specFile?: string | undefined;
  /** PEM file of the approver's Ed25519 key; without one, the weakenings are only listed. */
  keyFile: string | undefined;
  reason: string | undefined;
  /** Start of the ids to approve; default: all. */
  only: readonly string[] | undefined;
  signal: AbortSignal;
}

/** Lists the weakenings of a change that need an approval and, with a key, signs them. Returns the file of the approval. */
export async function approveWeakenings(
  request: ApprovalRequest,
): Promise<{ weakenings: Weakening[]; file: string | undefined }> {
  const { cwd, specFile = defaultSpecFile, keyFile, reason, only, signal } = request;
  const project = await openProject(undefined, { cwd, signal, checkPath: async () => {} });
  const { evaluation } = await evaluateProject(project, specFile, { nowMs: Date.now(), signal });
  const weakenings = listUnapproved(evaluation.weakenings).filter(
    ({ id }) => only === undefined || only.some((start) => id.startsWith(start)),
  );
  if (keyFile === undefined || weakenings.length === 0) return { weakenings, file: undefined };
  if (!reason) throw new Failure('configuration', 'BAD_USAGE', 'An approval needs a reason; pass it with --reason');
  const envelope = createApproval(weakenings, { reason, now: new Date() }, await loadSignerFile('--key', keyFile));
  const text = `${JSON.stringify(envelope)}\n`;
  await mkdir(join(project.root, approvalFolder), { recursive: true });
  // A symbolic link here would redirect the file.
  const folder = await resolveInside(project.root, approvalFolder, 'folder');
  const name = `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`;
  await writeFileAtomic(join(folder, name), text, 0o644);
  return { weakenings, file: `${approvalFolder}/${name}` };
}
