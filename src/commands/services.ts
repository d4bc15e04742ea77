import { spawn } from 'node:child_process';
import type { Services } from '../mcp/services.ts';
import { loadToolset } from '../mcp/toolsets.ts';
import { createJobRoom, type JobRoom } from '../platform/jobs/room.ts';
import type { JobHandler } from '../platform/jobs/worker.ts';
import type { Logger } from '../platform/log.ts';
import { type Given, settings } from '../platform/settings.ts';

/** How this process was started, so that it can be started once more. */
const self = [process.argv[1] ?? ''];

/** The kinds of long work, each loaded when it is first done. */
function jobHandlers(home: string): Map<string, JobHandler> {
  return new Map([
    [
      'accessibility.scan',
      async (job, context) => {
        const { chooseEngine, scanHandler } = await import('../accessibility/index.ts');
        return scanHandler(() => chooseEngine({ home, env: process.env, self }))(job, context);
      },
    ],
  ]);
}

/** What calls are served with in this process. `works`: long work is done here too, and not only handed in. */
export function localServices(
  given: Given,
  log: Logger,
  shutdown: AbortSignal,
  works: boolean,
): { services: Services; room: JobRoom } {
  const home = given.get(settings.home);
  const room = createJobRoom({
    home,
    databaseUrl: given.get(settings.databaseUrl),
    handlers: jobHandlers(home),
    works,
    wake: () =>
      spawn(process.execPath, [...self, 'worker', '--until-idle'], { detached: true, stdio: 'ignore' }).unref(),
    log,
    signal: shutdown,
  });
  return { services: { loadToolset, log, cwd: process.cwd(), home, self, shutdown, jobs: room.jobs }, room };
}

/** Goes on with what an earlier process has left undone, once this one has answered its first requests. */
export function resumeSoon(room: JobRoom, log: Logger): void {
  const later = () =>
    void room.resume().catch((error: unknown) => log.error({ err: error }, 'cannot go on with earlier work'));
  setTimeout(later, 1000).unref();
  // And later with what a peer that died has left, if this process does not work already.
  setInterval(later, 5000).unref();
}
