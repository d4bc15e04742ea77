import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import type { JobContext } from '../../platform/jobs/job-worker.ts';
import type { Job } from '../../platform/jobs/jobs.ts';
import { loadSecretKeys } from '../../platform/secrets/secret-keys.ts';
import { createSecretVault } from '../../platform/secrets/secret-vault.ts';
import type { PlatformServices } from '../../platform/services.ts';
import { openProjectSecrets } from '../secrets/project-secrets.ts';
import { qaSettings } from '../settings.ts';
import { createQaStore, type QaStore } from '../store/qa-store.ts';
import { saveArtifact } from './run-artifacts.ts';
import type { QaRun, RunContext, RunPart } from './run-context.ts';
import { runPayload } from './run-payload.ts';
import { recordUsage } from './usage-meter.ts';

/** Address in the payload of a run. */
const urlPayload = z.object({ url: z.string() });

export type QaWorkerServices = Omit<PlatformServices, 'self'>;

interface OpenedRun {
  run: QaRun;
  store: QaStore;
  /** The services of the run, for its handler. */
  openContext(): Promise<RunContext>;
}

/**
 * Reads the run that a job executes or is a part of. Transactions of its store are rolled back when another worker has claimed
 * the job since.
 */
export async function openRun(job: Job, jobContext: JobContext, work: QaWorkerServices): Promise<OpenedRun> {
  const { runId } = runPayload.parse(job.payload);
  const opened = await work.store();
  const store = createQaStore(opened, jobContext.requireClaim);
  const run = await loadRun(store, runId);
  const isFleet = opened.dialect === 'postgres';
  return { run, store, openContext: () => openRunContext(run, { ...work, store, isFleet }, job, jobContext) };
}

async function loadRun(store: QaStore, runId: string): Promise<QaRun> {
  const run = await store.runs.get(runId);
  const runtime = run && (await store.runtimes.get(run.runtimeId));
  const project = run && (await store.projects.get(run.projectId));
  if (run && runtime && project) return { ...run, runtime, project };
  throw new Failure('not_found', 'NO_RUN', `The run ${runId} no longer exists: its project was deleted.`);
}

type OpenedServices = Omit<QaWorkerServices, 'store'> & Pick<RunContext, 'store' | 'isFleet'>;

async function openRunContext(
  run: QaRun,
  { home, setting, store, artifacts: openArtifacts, jobs, browsers, log, isFleet }: OpenedServices,
  job: Job,
  { signal, progress, isRetried, submitParts }: JobContext,
): Promise<RunContext> {
  const { issuer, subject } = runPayload.parse(job.payload);
  const artifacts = await openArtifacts();
  const vault = async () => createSecretVault(await loadSecretKeys(home, setting(qaSettings.secretKey)));
  const open = [run.project.url, urlPayload.safeParse(run.runtime.payload).data?.url];
  const secrets = await openProjectSecrets(
    store,
    vault,
    run.projectId,
    open.filter((url) => typeof url === 'string'),
  );
  const { redactor } = secrets;
  return {
    ...{ home, store, artifacts, jobs, browsers, secrets, setting, vault, signal, isRetried, isFleet },
    principal: { issuer, subject },
    inside: run.runtime.inside ?? undefined,
    log: log.child({ run: run.id, kind: run.kind }),
    submitParts(parts, options) {
      const owned = ({ name, kind, payload }: RunPart) => ({
        id: `${job.id}.${job.redrives}.${name}`,
        kind,
        payload: { ...payload, runId: run.id, issuer, subject },
      });
      return submitParts(parts.map(owned), options);
    },
    isCancelled: () => isCancelled(signal),
    progress(done, total, message) {
      const percent = total ? Math.min(100, Math.max(0, Math.floor((done / total) * 100))) : 0;
      progress({ percent, message: message === undefined ? null : redactor.text(message), at: Date.now() });
    },
    async checkpoint(value) {
      // Secrets in it are stored by name, because addresses in it are visited again.
      await store.runs.update(run.id, { checkpoint: secrets.placeholders.hide(value) });
    },
    saveArtifact: (artifact) =>
      saveArtifact({ artifacts, principal: { issuer, subject }, store, redactor }, run, artifact),
    charge: (usage, part) => recordUsage(store, { ...run, ...part }, usage),
  };
}

/** The abort reason distinguishes a cancellation from a stopping worker. */
export function isCancelled(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof Error && signal.reason.message === 'cancelled';
}
