import { Failure } from '../platform/errors.ts';
import { isJsonObject } from '../platform/json.ts';
import type { Logger } from '../platform/log.ts';
import type { Principal } from '../platform/principal.ts';

/** What was used: a tool, a resource or a prompt by its own name, never by what the caller wrote. */
export type AuditSubject = { tool: string } | { resource: string } | { prompt: string };

/** Outcome of a call whose tool, prompt or resource does not exist for the caller; its subject is `unknown`. */
export const UNKNOWN_NAME = 'UNKNOWN_NAME';

interface AuditEntry {
  principal: Principal;
  subject: AuditSubject;
  /** `ok`, or the code of the failure. */
  outcome: string;
  durationMs: number;
  /** Arguments of the call, or variables of the resource; only their ids are written. */
  args?: unknown;
  /** Result of the call; only its ids are written. */
  data?: unknown;
}

/** Writes the line about one call, at the level info. Of arguments and results it holds ids only. */
export function logCall(log: Logger, entry: AuditEntry): void {
  if (!log.isLevelEnabled('info')) return;
  const { principal, subject, outcome, durationMs, args, data } = entry;
  const { issuer, client } = principal;
  const who = { issuer, subject: principal.subject, client };
  const ids = { ...collectIds(args), ...collectIds(data) };
  log.info({ principal: who, ...subject, outcome, durationMs: Math.round(durationMs), ids }, 'call ended');
}

/** Does the work and writes its line, whether it succeeds or not. */
export async function withCallLog<Result>(
  log: Logger,
  entry: Pick<AuditEntry, 'principal' | 'subject' | 'args'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  const ended = (outcome: string) => logCall(log, { ...entry, outcome, durationMs: performance.now() - begun });
  try {
    const result = await work();
    ended(result === undefined ? 'NOT_FOUND' : 'ok');
    return result;
  } catch (error) {
    ended(error instanceof Failure ? error.code : 'INTERNAL');
    throw error;
  }
}

/** Keys of ids that Assay issues. Records of pages and users may have other keys that look like ids: `national_id`. */
const ID_KEYS = [
  'id',
  'approvedCandidateIds',
  'artifactId',
  'candidateId',
  'candidateIds',
  'filterIds',
  'prdFileId',
  'projectId',
  'reportId',
  'runBatchId',
  'run_id',
  'scanId',
  'scan_id',
  'secretId',
  'session_id',
  'snapshotId',
  'testCaseId',
  'testCaseIds',
  'testScriptId',
  'testScriptIds',
  'useCaseId',
  'wizard_id',
  'workflowRunId',
  'workflowRuntimeId',
];
const ID_VALUE = /^[\w.-]{1,100}$/;
const MOST_OF_A_LIST = 20;

/** Ids by their keys, from the top level of arguments or a result. */
export function collectIds(data: unknown): Record<string, string | string[]> {
  if (!isJsonObject(data)) return {};
  const isId = (value: unknown) => typeof value === 'string' && ID_VALUE.test(value);
  const ids = ID_KEYS.flatMap((key): [string, string | string[]][] => {
    const value = Object.hasOwn(data, key) ? data[key] : undefined;
    if (Array.isArray(value)) return [[key, value.slice(0, MOST_OF_A_LIST).filter(isId).map(String)]];
    return isId(value) ? [[key, String(value)]] : [];
  });
  return Object.fromEntries(ids);
}
