import { Failure } from '../platform/errors.ts';
import { isJsonObject } from '../platform/json.ts';
import type { Logger } from '../platform/log.ts';
import type { Principal } from '../platform/principal.ts';

/** What was used: a tool, a resource or a prompt by its own name, never by what the caller wrote. */
type AuditSubject = { tool: string } | { resource: string } | { prompt: string };

interface AuditEntry {
  principal: Principal;
  subject: AuditSubject;
  /** `ok`, or the code of the failure. */
  outcome: string;
  durationMs: number;
  /** Where ids are looked for: the result of a call, or the variables of a resource that was found. */
  data?: unknown;
}

/** Writes the line about one call, at the level info. It never holds an argument or a value of the result. */
export function logCall(log: Logger, { principal, subject, outcome, durationMs, data }: AuditEntry): void {
  if (!log.isLevelEnabled('info')) return;
  const { issuer, client } = principal;
  const who = { issuer, subject: principal.subject, client };
  log.info(
    { principal: who, ...subject, outcome, durationMs: Math.round(durationMs), ids: collectIds(data) },
    'call ended',
  );
}

/** Does the work and writes its line, whether it succeeds or not. */
export async function withCallLog<Result>(
  log: Logger,
  entry: Pick<AuditEntry, 'principal' | 'subject' | 'data'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  const ended = (outcome: string, data?: unknown) =>
    logCall(log, { ...entry, data, outcome, durationMs: performance.now() - begun });
  try {
    const result = await work();
    if (result === undefined) ended('NOT_FOUND');
    else ended('ok', entry.data);
    return result;
  } catch (error) {
    ended(error instanceof Failure ? error.code : 'INTERNAL');
    throw error;
  }
}

const ID_KEY = /(?:^id|[a-z]Id|_id)$/;
const ID_VALUE = /^[\w.:-]{1,100}$/;
const MOST_IDS = 20;

/** Ids by the names of their keys, of the result and of the objects directly in it. */
function collectIds(data: unknown): Record<string, string> {
  const ids: [string, string][] = [];
  const collect = (object: Record<string, unknown>, prefix: string) => {
    for (const [key, value] of Object.entries(object)) {
      if (ids.length >= MOST_IDS) return;
      if (ID_KEY.test(key) && ID_VALUE.test(String(value))) ids.push([`${prefix}${key}`, String(value)]);
      else if (prefix === '' && isJsonObject(value)) collect(value, `${key}.`);
    }
  };
  if (isJsonObject(data)) collect(data, '');
  return Object.fromEntries(ids);
}
