import { setTimeout as pause } from 'node:timers/promises';
import type { ArtifactStore } from '../platform/artifacts/artifact-store.ts';
import type { BrowserPool } from '../platform/browser/browser-pool.ts';
import { createJobService, type JobService } from '../platform/jobs/job-service.ts';
import type { JobState } from '../platform/jobs/jobs.ts';
import type { Logger } from '../platform/log.ts';
import type { PlatformServices } from '../platform/services.ts';
import { type SettingValues, settings } from '../platform/settings.ts';
import { createSharedInstances } from '../platform/shared-instances.ts';
import type { Services } from '../server/services.ts';
import { createJobHandlers, loadToolset, loadToolsetMigrations, toolsets } from '../tool/toolsets.ts';

const CLOSE_LIMIT_MS = 5000;

/** The arguments with which Node starts this program again. */
const self = [process.argv[1] ?? ''];

const DAY_MS = 86_400_000;

interface JobOptions {
  /** Jobs of other kinds are left to other workers. */
  handlesKind?(kind: string): boolean;
  onJobEnd?(kind: string, outcome: JobState | 'retried'): void;
}

/**
 * The services of this process. The jobs that it submits run here, in a worker process that it starts, or only in workers that
 * an operator starts.
 */
export function createLocalServices(
  values: SettingValues,
  log: Logger,
  shutdown: AbortSignal,
  runner: 'here' | 'new-process' | 'elsewhere',
  { handlesKind = () => true, onJobEnd }: JobOptions = {},
): { services: Services; jobService: JobService; browserCounts: BrowserPool['counts']; close(): Promise<void> } {
  for (const { checkSettings } of toolsets) checkSettings?.(values.get);
  const home = values.get(settings.home);
  const instances = createSharedInstances();
  let browserPool: BrowserPool | undefined;
  let artifactStore: Promise<ArtifactStore> | undefined;
  const platform: PlatformServices = {
    log,
    home,
    self,
    setting: values.get,
    jobs: () => jobService.jobs(),
    store: () => jobService.store(),
    artifacts() {
      artifactStore ??= import('../platform/artifacts/artifact-store.ts').then(({ openArtifactStore }) =>
        openArtifactStore(home, values.get),
      );
      return artifactStore;
    },
    async browsers() {
      const { createBrowserPool } = await import('../platform/browser/browser-pool.ts');
      browserPool ??= createBrowserPool({ home });
      return browserPool;
    },
  };
  const jobService: JobService = createJobService({
    home,
    databaseUrl: values.get(settings.databaseUrl),
    migrations: loadToolsetMigrations,
    handlers: new Map([...createJobHandlers(platform)].filter(([kind]) => handlesKind(kind))),
    runsJobs: runner === 'here',
    wake() {
      if (runner === 'elsewhere') return;
      // Loaded on use, which saves time at start; synchronous, because the process may end right after this call.
      const { spawn } = process.getBuiltinModule('node:child_process');
      spawn(process.execPath, [...self, 'worker', '--until-idle'], { detached: true, stdio: 'ignore' }).unref();
    },
    jobsPerOwner: values.get(settings.jobsPerOwner),
    retentionMs: values.get(settings.jobRetentionDays) * DAY_MS,
    ...(onJobEnd && { onEnd: onJobEnd }),
    log,
    signal: shutdown,
  });
  return {
    services: { ...platform, loadToolset, cwd: process.cwd(), shutdown, shared: instances.shared },
    jobService,
    browserCounts: () => browserPool?.counts() ?? { browsers: 0, contexts: 0 },
    async close() {
      // A job that ignores the signal is abandoned: its lease expires, and the next worker resumes it.
      const ended = await Promise.race([jobService.close().then(() => true), pause(CLOSE_LIMIT_MS, false)]);
      if (!ended) log.error('running jobs did not stop in time and are left to the next worker');
      await Promise.race([
        Promise.all([instances.close(), browserPool?.close(), artifactStore?.then((store) => store.close())]),
        pause(CLOSE_LIMIT_MS),
      ]);
    },
  };
}

/** Resumes the jobs of processes that died: soon after start-up, and then at intervals. */
export function scheduleResume(jobService: JobService, log: Logger): void {
  const resume = () =>
    void jobService.resume().catch((error: unknown) => log.error({ err: error }, 'cannot resume earlier jobs'));
  setTimeout(resume, 1000).unref();
  setInterval(resume, 5000).unref();
}
