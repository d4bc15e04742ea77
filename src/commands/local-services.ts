import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserPool } from '../platform/browser/browser-pool.ts';
import { Failure } from '../platform/errors.ts';
import { createJobService, type JobService } from '../platform/jobs/job-service.ts';
import type { JobHandler } from '../platform/jobs/job-worker.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Logger } from '../platform/log.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import { type SettingValues, settings } from '../platform/settings.ts';
import { createSharedInstances } from '../platform/shared-instances.ts';
import type { Store } from '../platform/store/store.ts';
import { qaJobHandlers } from '../qa/index.ts';
import type { Services } from '../server/services.ts';
import { loadToolset } from '../tool/toolsets.ts';

const CLOSES_WITHIN_MS = 5000;

/** How this process was started, so that it can be started once more. */
const self = [process.argv[1] ?? ''];

/** The kinds of long work, each loaded when it is first done. */
function jobHandlers(work: WorkPlace): Map<string, JobHandler> {
  const { home } = work;
  return new Map([
    [
      'accessibility.scan',
      async (job, context) => {
        const { chooseEngine, scanHandler } = await import('../accessibility/index.ts');
        return scanHandler((owner) => chooseEngine({ home, owner, env: process.env, self }))(job, context);
      },
    ],
    ...qaJobHandlers(work),
  ]);
}

/** What long work is done with. */
interface WorkPlace {
  home: string;
  secretKeys: SecretKeys | undefined;
  jobs(): Promise<Jobs>;
  store(): Promise<Store>;
  browsers(): Promise<BrowserPool>;
  log: Logger;
}

/** What calls are served with in this process. `works`: long work is done here too, and not only handed in. */
export function createLocalServices(
  given: SettingValues,
  log: Logger,
  shutdown: AbortSignal,
  works: boolean,
): { services: Services; room: JobService; browserCounts: BrowserPool['counts']; close(): Promise<void> } {
  const home = given.get(settings.home);
  checkSharedWizards(given);
  const things = createSharedInstances();
  let browserRoom: BrowserPool | undefined;
  const browsers = async () => {
    const { createBrowserPool } = await import('../platform/browser/browser-pool.ts');
    browserRoom ??= createBrowserPool({ home });
    return browserRoom;
  };
  const room: JobService = createJobService({
    home,
    databaseUrl: given.get(settings.databaseUrl),
    handlers: jobHandlers({
      home,
      secretKeys: given.get(settings.secretKey),
      jobs: () => room.jobs(),
      store: () => room.store(),
      browsers,
      log,
    }),
    works,
    wake: () =>
      spawn(process.execPath, [...self, 'worker', '--until-idle'], { detached: true, stdio: 'ignore' }).unref(),
    log,
    signal: shutdown,
  });
  const { jobs, store } = room;
  const { shared } = things;
  return {
    services: {
      ...{ loadToolset, log, cwd: process.cwd(), home, self, shutdown, jobs, store, browsers, shared },
      setting: given.get,
    },
    room,
    browserCounts: () => browserRoom?.counts() ?? { browsers: 0, contexts: 0 },
    async close() {
      // Work that does not hear of the end is left: its lease runs out, and the next worker goes on with it.
      const ended = await Promise.race([room.close().then(() => true), pause(CLOSES_WITHIN_MS, false)]);
      if (!ended) log.error('work under way did not end in time, and is left to the next worker');
      await Promise.race([Promise.all([things.close(), browserRoom?.close()]), pause(CLOSES_WITHIN_MS)]);
    },
  };
}

/** A folder that is missing would look like one without wizards. */
function checkSharedWizards(given: SettingValues): void {
  const folder = given.get(settings.sharedWizards);
  if (folder === undefined || existsSync(folder)) return;
  const { flag, env } = settings.sharedWizards;
  const message = `--${flag} (${env}) names ${JSON.stringify(folder)}, which does not exist. Create the folder, or correct the path.`;
  throw new Failure('configuration', 'BAD_SETTING', message);
}

/** Goes on with what an earlier process has left undone, once this one has answered its first requests. */
export function scheduleResume(room: JobService, log: Logger): void {
  const later = () =>
    void room.resume().catch((error: unknown) => log.error({ err: error }, 'cannot go on with earlier work'));
  setTimeout(later, 1000).unref();
  // And later with what a peer that died has left, if this process does not work already.
  setInterval(later, 5000).unref();
}
