import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument, stringify } from 'yaml';
import { Failure, systemReason } from '../../platform/errors.ts';
import { writeFileAtomic } from '../../platform/files/files.ts';
import { isJsonObject } from '../../platform/json.ts';
import { findNearestName } from '../../platform/text/nearest-name.ts';
import { appendWaiverAudit } from '../spec/create-waiver.ts';
import { defaultPolicy, policyFile } from '../spec/policy.ts';
import { lstatIfExists, resolveInside } from '../spec/project-file.ts';
import type { LoadedWaiver } from '../spec/waivers.ts';
import { type LoadedSpec, specModes } from '../spec/working-spec.ts';

/** A change that was made, with the values needed to undo it by hand. */
export interface AppliedFix {
  what: string;
  file: string;
  before: string;
  after: string;
}

/** Writes the default policy to its file. */
export async function writeDefaultPolicy(root: string): Promise<AppliedFix[]> {
  const { tiers, gates } = defaultPolicy;
  const text = stringify({
    version: 1,
    risk_tiers: tiers,
    gates: Object.fromEntries(Object.entries(gates).map(([name, mode]) => [name, { mode }])),
  });
  await saveProjectFile(root, policyFile, text, 'new');
  return [
    {
      what: 'default policy written',
      file: policyFile,
      before: 'no file',
      after: `${text.split('\n').length - 1} lines`,
    },
  ];
}

/** Creates a repair for unambiguous errors: a tier out of range, a misspelt mode. Comments and order are kept. */
export function createSpecRepair(
  root: string,
  { raw, file, source }: LoadedSpec,
): (() => Promise<AppliedFix[]>) | undefined {
  if (!isJsonObject(raw)) return undefined;
  const repairs: { key: string; before: unknown; after: unknown }[] = [];
  const { risk_tier: tier, mode } = raw;
  if (typeof tier === 'number' && Number.isInteger(tier) && (tier < 1 || tier > 3)) {
    repairs.push({ key: 'risk_tier', before: tier, after: Math.max(1, Math.min(3, tier)) });
  }
  if (typeof mode === 'string' && !specModes.some((known) => known === mode)) {
    const nearestMode = findNearestName(mode.trim(), specModes);
    if (nearestMode) repairs.push({ key: 'mode', before: mode, after: nearestMode });
  }
  if (repairs.length === 0) return undefined;
  return async () => {
    const document = source.document.clone();
    for (const { key, after } of repairs) document.set(key, after);
    await saveProjectFile(root, file, document.toString({ lineWidth: 0 }));
    return repairs.map(({ key, before, after }) => ({
      what: `${key} corrected`,
      file,
      before: String(before),
      after: String(after),
    }));
  };
}

export async function markWaiverExpired(
  root: string,
  { file, waiver }: LoadedWaiver,
  nowMs: number,
): Promise<AppliedFix[]> {
  const document = parseDocument(await readFile(join(root, file), 'utf8'));
  document.set('status', 'expired');
  await saveProjectFile(root, file, document.toString({ lineWidth: 0 }));
  await appendWaiverAudit(root, { at: new Date(nowMs).toISOString(), event: 'waiver_expired', id: waiver.id });
  return [{ what: 'waiver marked as expired', file, before: 'status: active', after: 'status: expired' }];
}

const reportFolders = [
  'coverage',
  'reports',
  'test-results',
  'test-reports',
  'htmlcov',
  'StrykerOutput',
  '.stryker-tmp',
  '.nyc_output',
];

/** Report folders among untracked files. */
export function findReportFolders(untracked: readonly string[]): string[] {
  return reportFolders.filter((folder) => untracked.some((path) => path.startsWith(`${folder}/`)));
}

export async function addToGitignore(root: string, folders: readonly string[]): Promise<AppliedFix[]> {
  const file = '.gitignore';
  const stats = await lstatIfExists(join(root, file));
  if (stats && !stats.isFile())
    throw new Failure('bad_input', 'EINVAL', `${file} is not a regular file; replace it with one`);
  const before = stats ? await readFile(join(root, file), 'utf8') : '';
  const added = folders.map((folder) => `/${folder}/`);
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  await saveProjectFile(root, file, `${before}${gap}${added.join('\n')}\n`);
  return [
    {
      what: 'reports ignored',
      file,
      before: stats ? `${before.split('\n').length} lines` : 'no file',
      after: `and ${added.join(', ')}`,
    },
  ];
}

/** Writes a file of the project atomically; never through a link that leads out of it. */
async function saveProjectFile(root: string, file: string, text: string, mode?: 'new'): Promise<void> {
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.';
  const target = join(await resolveInside(root, folder, 'folder'), file.slice(file.lastIndexOf('/') + 1));
  const stats = await lstatIfExists(target);
  if (stats && (mode === 'new' || !stats.isFile()))
    throw new Failure('bad_input', 'EINVAL', `${file} exists already or is not a regular file; remove it first`);
  await writeFileAtomic(target, text, stats ? stats.mode & 0o777 : 0o644).catch((error: unknown) => {
    const message = `Cannot write ${file}: ${systemReason(error)}; make it writable for the user that runs Assay`;
    throw new Failure('unavailable', 'EACCES', message, {}, { cause: error });
  });
}
