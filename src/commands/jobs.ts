import { Failure, quote } from '../platform/errors.ts';
import { createJobAdmin, type JobAdmin } from '../platform/jobs/job-admin.ts';
import { type Job, type JobState, jobStates } from '../platform/jobs/jobs.ts';
import { ownerKey } from '../platform/principal.ts';
import { parseSwitch, parseWhole, rejectSetting } from '../platform/setting-parsers.ts';
import { readSettings, type Setting, type SettingValues, settings } from '../platform/settings.ts';
import { openStore } from '../platform/store/store.ts';
import { localUser } from '../server/auth.ts';
import { loadToolsetMigrations } from '../tool/toolsets.ts';
import { type Command, printStdout } from './command.ts';

const json: Setting<boolean> = { flag: 'json', env: '', help: 'Print JSON.', parse: parseSwitch };
const dead: Setting<boolean> = {
  flag: 'dead',
  env: '',
  help: 'With list: only dead letters, which failed after their last retry.',
  parse: parseSwitch,
};
const allOwners: Setting<boolean> = {
  flag: 'all-owners',
  env: '',
  help: 'Jobs of every owner, not only of the user of this machine. For operators.',
  parse: parseSwitch,
};
const kind: Setting<string | undefined> = {
  flag: 'kind',
  env: '',
  placeholder: 'kind',
  help: 'With list and redrive: only jobs of this kind, such as qa.bulk.',
  parse: (raw) => raw,
};
const state: Setting<JobState | undefined> = {
  flag: 'state',
  env: '',
  placeholder: 'state',
  help: `With list: only jobs in this state: ${jobStates.join(', ')}.`,
  parse: (raw, where) =>
    raw === undefined
      ? undefined
      : (jobStates.find((known) => known === raw) ?? rejectSetting(where, raw, `one of ${jobStates.join(', ')}`)),
};
const limit: Setting<number> = {
  flag: 'limit',
  env: '',
  placeholder: 'number',
  help: 'With list: at most this many jobs, newest first.',
  fallback: '50',
  parse: (raw = '50', where) => parseWhole(raw, where, 1, 1000),
};

const partsOf: Setting<string | undefined> = {
  flag: 'parts-of',
  env: '',
  placeholder: 'id',
  help: 'With list: the parts of this job. Otherwise parts are listed only with --kind and --dead.',
  parse: (raw) => raw,
};

interface Request {
  admin: JobAdmin;
  owner: string | undefined;
  id: string;
  values: SettingValues;
}

/** Each returns text for people and data for programs. */
const actions: Record<string, (request: Request) => Promise<{ text: string; data: unknown }>> = {
  async list({ admin, owner, values }) {
    const filter = { owner, kind: values.get(kind), state: values.get(state), isDeadLetter: values.get(dead) };
    const jobs = await admin.list({ ...filter, parentId: values.get(partsOf), limit: values.get(limit) });
    return { text: jobs.map(formatLine).join('\n') || 'No jobs.', data: jobs.map(summarise) };
  },
  async show({ admin, owner, id }) {
    const job = await admin.get(id, owner);
    if (!job) throw notFound(id);
    const data = { ...summarise(job), payload: job.payload, progress: job.progress, result: job.result };
    return { text: JSON.stringify(data, null, 2), data };
  },
  async cancel({ admin, owner, id }) {
    if (!(await admin.get(id, owner))) throw notFound(id);
    if (!(await admin.cancel(id, owner)))
      throw new Failure('conflict', 'JOB_ENDED', `The job ${quote(id)} has ended, so it cannot be cancelled.`);
    return { text: `The job ${id} is cancelled, or stops within a second.`, data: { id, cancelled: true } };
  },
  async retry({ admin, owner, id }) {
    const job = await admin.get(id, owner);
    if (!job) throw notFound(id);
    if (!(await admin.retry(id, owner)))
      throw new Failure(
        'conflict',
        'JOB_NOT_FAILED',
        `The job ${quote(id)} is ${job.state}. Only failed and cancelled jobs can be started again.`,
      );
    return { text: `The job ${id} is queued.`, data: { id, queued: true } };
  },
  async redrive({ admin, owner, values }) {
    const ids = await admin.redrive({ owner, kind: values.get(kind) });
    return { text: ids.map((id) => `The job ${id} is queued.`).join('\n') || 'No dead letters.', data: { ids } };
  },
};
const withId = ['show', 'cancel', 'retry'];

export const jobsCommand: Command = {
  name: 'jobs',
  usage: 'list | show <id> | retry <id> | cancel <id> | redrive [--json]',
  summary:
    'Look at the jobs in the store, cancel one, or start failed ones again. "redrive" starts all dead letters again.',
  settings: [json, dead, allOwners, kind, state, partsOf, limit, settings.home, settings.databaseUrl],
  async run([name = '', ...rest]) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) {
      const message = `Unknown action ${quote(name)}. Use one of: ${Object.keys(actions).join(', ')}.`;
      throw new Failure('configuration', 'BAD_USAGE', message);
    }
    const takesId = withId.includes(name);
    const id = takesId ? (rest[0] ?? '') : '';
    if (takesId && (id === '' || id.startsWith('-')))
      throw new Failure('configuration', 'BAD_USAGE', `The job id is missing: assay jobs ${name} <id>.`);
    const values = readSettings(jobsCommand.settings, rest.slice(takesId ? 1 : 0), process.env);
    await using store = await openStore({
      home: values.get(settings.home),
      url: values.get(settings.databaseUrl),
      migrations: await loadToolsetMigrations(),
    });
    const owner = values.get(allOwners) ? undefined : ownerKey(localUser);
    const { text, data } = await action({ admin: createJobAdmin(store), owner, id, values });
    await printStdout(values.get(json) ? JSON.stringify(data, null, 2) : text);
    return 0;
  },
};

function notFound(id: string): Failure {
  const message = `There is no job ${quote(id)} of this owner. "assay jobs list" shows the jobs; --all-owners includes those of other owners.`;
  return new Failure('not_found', 'NO_JOB', message);
}

function summarise({ id, kind: type, owner, state: now, attempts, redrives, isDeadLetter, ...job }: Job) {
  const time = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
  return {
    ...{ id, kind: type, owner, state: now, attempts, redrives, isDeadLetter },
    error: job.error ?? null,
    parentId: job.parentId ?? null,
    isWaitingForParts: job.isWaitingForParts,
    createdAt: time(job.createdAt),
    startedAt: time(job.startedAt),
    endedAt: time(job.endedAt),
  };
}

function formatLine(job: Job): string {
  const { id, kind: type, state: now, attempts, isDeadLetter, isWaitingForParts, createdAt, error } = job;
  const status = isDeadLetter ? 'dead letter' : isWaitingForParts ? 'in parts' : now;
  const columns = [id, new Date(createdAt).toISOString(), type.padEnd(18), status.padEnd(11), `attempts ${attempts}`];
  return [...columns, ...(error === undefined ? [] : [error.split('\n', 1)[0]])].join('  ');
}
