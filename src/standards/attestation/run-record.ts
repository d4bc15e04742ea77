import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from '../../platform/files/files.ts';
import { openEnvelope, signStatement } from '../provenance/dsse-envelope.ts';
import type { PublicKey, Signer } from '../provenance/signing.ts';
import { readProjectFileIfExists, resolveInside } from '../spec/project-file.ts';

const recordFolder = '.caws/attestations';
const statementType = 'https://in-toto.io/Statement/v1';
/** The predicate of in-toto for test results; `assay` holds what it has no field for. */
const predicateType = 'https://in-toto.io/attestation/test-result/v0.1';
const MAX_RECORDS = 50;

const runSchema = z.object({
  command: z.array(z.string()),
  exitCode: z.number().nullable(),
  startedAt: z.string(),
  endedAt: z.string(),
  treeBefore: z.string(),
  treeAfter: z.string(),
  reports: z.array(z.object({ path: z.string(), sha256: z.string() })),
  /** Whether the run was part of a pipeline, as far as its environment says. */
  isPipeline: z.boolean(),
});
export type RecordedRun = z.output<typeof runSchema>;

const statementSchema = z.object({
  _type: z.literal(statementType),
  predicateType: z.literal(predicateType),
  predicate: z.object({ result: z.enum(['PASSED', 'WARNED', 'FAILED']), assay: runSchema }),
});

/** Writes the record of a run as a signed in-toto statement. The folder is not part of the repository. */
export async function writeRunRecord(root: string, run: RecordedRun, signer: Signer): Promise<string> {
  const statement = {
    _type: statementType,
    subject: [{ name: 'tree', digest: { gitTree: run.treeAfter } }],
    predicateType,
    predicate: {
      result: run.exitCode === 0 ? 'PASSED' : 'FAILED',
      configuration: [{ name: 'command', content: Buffer.from(run.command.join(' ')).toString('base64') }],
      assay: run,
    },
  };
  await mkdir(join(root, recordFolder), { recursive: true });
  // A symbolic link here would redirect the files.
  const folder = await resolveInside(root, recordFolder, 'folder');
  await writeFile(join(folder, '.gitignore'), '*\n');
  const name = `${run.endedAt.replace(/\D/g, '')}-${randomUUID().slice(0, 8)}.json`;
  await writeFileAtomic(join(folder, name), `${JSON.stringify(signStatement(statement, signer))}\n`, 0o644);
  const old = (await listRecords(root)).slice(MAX_RECORDS);
  await Promise.all(old.map((one) => rm(join(folder, one), { force: true })));
  return `${recordFolder}/${name}`;
}

/** Newest first. */
async function listRecords(root: string): Promise<string[]> {
  const names = await readdir(join(root, recordFolder)).catch(() => []);
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse();
}

/** Reads the records that one of the keys signed, newest first. */
export async function readRunRecords(
  root: string,
  keys: ReadonlyMap<PublicKey, 'local' | 'remote'>,
): Promise<{ run: RecordedRun; signedBy: 'local' | 'remote' }[]> {
  const records: { run: RecordedRun; signedBy: 'local' | 'remote' }[] = [];
  for (const name of (await listRecords(root)).slice(0, MAX_RECORDS)) {
    const file = await readProjectFileIfExists(root, `${recordFolder}/${name}`).catch(() => undefined);
    const opened = openEnvelope(file?.text ?? '', [...keys.keys()]);
    const run =
      typeof opened === 'string' ? undefined : statementSchema.safeParse(opened.statement).data?.predicate.assay;
    if (run && typeof opened !== 'string') records.push({ run, signedBy: keys.get(opened.key) ?? 'local' });
  }
  return records;
}
