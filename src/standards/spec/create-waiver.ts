import { randomUUID } from 'node:crypto';
import { appendFile, link, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Failure, quote, systemCode, systemReason } from '../../platform/errors.ts';
import { writeFileAtomic } from '../../platform/files/files.ts';
import { findNearestName } from '../../platform/text/nearest-name.ts';
import { gateNames, loadPolicy } from './policy.ts';
import { lstatIfExists, resolveInside } from './project-file.ts';
import { type LoadedWaiver, listWaiverFiles, loadWaivers, type Waiver, waiverFolder } from './waivers.ts';

export interface WaiverRequest {
  title: string;
  reason: Waiver['reason'];
  description: string;
  gates: readonly string[];
  expiresAt: string;
  approvedBy: string;
  impactLevel: Waiver['impact_level'];
  mitigationPlan: string;
}

export interface CreatedWaiver {
  waiver: Waiver;
  file: string;
  warnings: string[];
}

const MAX_TEXT_LENGTH = 32 * 1024;
const DAY_MS = 86_400_000;
const isoTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Writes a waiver under the next free id and a line to the audit file. Concurrent callers get different ids. */
export async function createWaiver(root: string, request: WaiverRequest, now: Date): Promise<CreatedWaiver> {
  const expires = parseExpiry(request.expiresAt, now);
  const [{ policy }, { waivers }] = await Promise.all([loadPolicy(root), loadWaivers(root, now.getTime())]);
  const days = (expires.getTime() - now.getTime()) / DAY_MS;
  if (policy.maxWaiverDays !== undefined && days > policy.maxWaiverDays) {
    const message = `expiresAt ${quote(request.expiresAt)} is ${Math.ceil(days)} days away; .caws/policy.yaml allows ${policy.maxWaiverDays}; choose an earlier time`;
    throw new Failure('bad_input', 'EINVAL', message);
  }
  const gates = [...new Set(request.gates.map((gate) => gate.trim()))];
  const draft = {
    title: request.title,
    reason: request.reason,
    description: request.description,
    gates,
    created_at: now.toISOString(),
    expires_at: expires.toISOString(),
    approved_by: request.approvedBy,
    impact_level: request.impactLevel,
    mitigation_plan: request.mitigationPlan,
    status: 'active' as const,
  };
  if (stringify(draft).length > MAX_TEXT_LENGTH)
    throw new Failure(
      'bad_input',
      'EINVAL',
      `The waiver is longer than ${MAX_TEXT_LENGTH} characters; shorten its texts`,
    );
  const warnings = [...unknownGateWarnings(gates), ...overlapWarnings(gates, waivers)];
  const { waiver, file } = await writeUnderNextId(root, draft);
  try {
    await auditCreation(root, waiver, now);
  } catch (error) {
    // A waiver without an audit line must not be in force.
    await rm(join(root, file), { force: true });
    throw error;
  }
  return { waiver, file, warnings };
}

function parseExpiry(given: string, now: Date): Date {
  const time = isoTime.test(given) ? new Date(given) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime())) {
    const message = `expiresAt ${quote(given)} is not an ISO 8601 time; write it like 2027-01-31T00:00:00Z`;
    throw new Failure('bad_input', 'EINVAL', message);
  }
  if (time.getTime() > now.getTime()) return time;
  const message = `expiresAt ${quote(given)} is not in the future; pass a time after ${now.toISOString()}`;
  throw new Failure('bad_input', 'EINVAL', message);
}

/** An unknown gate may be waived, but that has no effect. */
function unknownGateWarnings(gates: readonly string[]): string[] {
  const known: readonly string[] = gateNames;
  return gates
    .filter((gate) => !known.includes(gate))
    .map((gate) => {
      const near = findNearestName(gate, known) ?? known.find((name) => name.split('_')[0] === gate.split(/[_-]/)[0]);
      const hint = near ? `did you mean ${near}?` : `known gates: ${known.join(', ')}`;
      return `No gate is called ${quote(gate, 60)}, so waiving it changes nothing; ${hint}`;
    });
}

function overlapWarnings(gates: readonly string[], waivers: readonly LoadedWaiver[]): string[] {
  return gates.flatMap((gate) => {
    const earlier = waivers.find(({ state, waiver }) => state === 'active' && waiver.gates.includes(gate));
    return earlier ? [`${gate} is already waived by ${earlier.waiver.id} until ${earlier.waiver.expires_at}`] : [];
  });
}

/** A hard link never replaces a file, so the first caller that links an id owns it, and its file is complete at once. */
async function writeUnderNextId(root: string, draft: Omit<Waiver, 'id'>): Promise<{ waiver: Waiver; file: string }> {
  const folder = await ensureWaiverFolder(root);
  const taken = (await listWaiverFiles(root)).map((name) => Number(/\d+/.exec(name)?.[0] ?? 0));
  let number = Math.max(0, ...taken) + 1;
  for (;;) {
    const id = `WV-${String(number).padStart(4, '0')}`;
    const waiver = { id, ...draft };
    const aside = join(folder, `.${id}.${randomUUID()}.new`);
    try {
      await writeFileAtomic(aside, stringify(waiver, { lineWidth: 0 }), 0o644);
      await link(aside, join(folder, `${id}.yaml`));
      return { waiver, file: `${waiverFolder}/${id}.yaml` };
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw waiverWriteFailure(error);
      number++;
    } finally {
      await rm(aside, { force: true });
    }
  }
}

async function ensureWaiverFolder(root: string): Promise<string> {
  if (!(await lstatIfExists(join(root, '.caws')))?.isDirectory()) {
    throw new Failure('not_found', 'ENOENT', 'No .caws folder found; set up the project with caws_init');
  }
  await mkdir(join(root, waiverFolder), { recursive: true }).catch((error: unknown) => {
    throw waiverWriteFailure(error);
  });
  // A symbolic link here would redirect the waivers to another folder.
  return resolveInside(root, waiverFolder, 'folder');
}

async function auditCreation(root: string, waiver: Waiver, now: Date): Promise<void> {
  const { id, gates, reason, approved_by, expires_at, impact_level } = waiver;
  const line = {
    at: now.toISOString(),
    event: 'waiver_created',
    id,
    gates,
    reason,
    approved_by,
    expires_at,
    impact_level,
  };
  await appendWaiverAudit(root, line);
}

/** Appends one line in one write. A symbolic link instead of the file is rejected. */
export async function appendWaiverAudit(root: string, line: Record<string, unknown>): Promise<void> {
  const file = join(root, waiverFolder, 'audit.jsonl');
  const stats = await lstatIfExists(file);
  if (stats && !stats.isFile())
    throw new Failure('bad_input', 'EINVAL', `${waiverFolder}/audit.jsonl is not a regular file; replace it with one`);
  await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o644 }).catch((error: unknown) => {
    throw waiverWriteFailure(error);
  });
}

function waiverWriteFailure(error: unknown): Failure {
  const code = systemCode(error);
  const kept = code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'EACCES' : 'EIO';
  return new Failure(
    'unavailable',
    kept,
    `Cannot write to ${waiverFolder}: ${systemReason(error)}; make it writable for the user that runs Assay`,
    {},
    { cause: error },
  );
}
