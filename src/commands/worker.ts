import { setTimeout as pause } from 'node:timers/promises';
import { findBrowser } from '../platform/browser/installed-browser.ts';
import { Failure } from '../platform/errors.ts';
import { createLog } from '../platform/log.ts';
import { parseWhole } from '../platform/setting-parsers.ts';
import { artifactSettings, readSettings, type Setting, type SettingValues, settings } from '../platform/settings.ts';
import { findNearestName } from '../platform/text/nearest-name.ts';
import { jobKinds, toolsetSettings } from '../tool/toolsets.ts';
import type { Command } from './command.ts';
import { createLocalServices } from './local-services.ts';
import { createStopSignal, logUncaughtErrors } from './startup/process-signals.ts';
import { serveWorkerHealth } from './startup/worker-health.ts';

const untilIdle: Setting<boolean> = {
  flag: 'until-idle',
  env: '',
  help: 'End when no job is due and none is running, here or elsewhere.',
  parse: settings.readOnly.parse,
};

const kinds: Setting<string[] | undefined> = {
  flag: 'kinds',
  env: 'ASSAY_WORKER_KINDS',
  placeholder: 'a,b',
  help: `Run only jobs of these kinds: ${[...jobKinds.keys()].join(', ')}.`,
  fallback: 'all that this machine can run',
  parse: settings.toolsets.parse,
};

const drainSeconds: Setting<number> = {
  flag: 'drain-seconds',
  env: 'ASSAY_DRAIN_SECONDS',
  placeholder: 'number',
  help: 'How long running jobs may continue after SIGTERM. Then they are released for another worker. A second signal ends the process at once.',
  fallback: '20',
  parse: (raw = '20', where): number => parseWhole(raw, where, 0, 86_400),
};

const healthPort: Setting<number | undefined> = {
  flag: 'health-port',
  env: 'ASSAY_HEALTH_PORT',
  placeholder: 'number',
  help: 'Serve /healthz, /readyz and /metrics on this port; 0 takes a free one.',
  fallback: 'none',
  parse: (raw, where): number | undefined => (raw ? parseWhole(raw, where, 0, 65_535) : undefined),
};

const healthHost: Setting<string> = {
  flag: 'health-host',
  env: 'ASSAY_HEALTH_HOST',
  placeholder: 'address',
  help: 'Address to listen on with --health-port. Anyone who reaches it can read the metrics.',
  fallback: '127.0.0.1',
  parse: (raw = '127.0.0.1') => raw,
};

export const workerCommand: Command = {
  name: 'worker',
  usage: '[--until-idle] [--kinds <a,b>] [--health-port <number>]',
  summary: 'Run queued jobs: scans, test runs, reports. A server runs its own jobs; more workers share the queue.',
  settings: [
    ...[untilIdle, kinds, drainSeconds, healthPort, healthHost],
    ...[settings.logLevel, settings.home, settings.databaseUrl, settings.jobRetentionDays],
    ...artifactSettings,
    ...toolsetSettings,
  ],
  async run(argv) {
    const values = readSettings(workerCommand.settings, argv, process.env);
    const drain = createStopSignal();
    const log = createLog(values.get(settings.logLevel));
    logUncaughtErrors(log);
    const chosen = await chooseKinds(values);
    if (chosen.size < jobKinds.size) log.warn({ kinds: [...chosen] }, 'worker runs some kinds of jobs only');
    const stop = new AbortController();
    await using cleanup = new AsyncDisposableStack();
    const { jobService, close } = createLocalServices(values, log, stop.signal, 'here', {
      handlesKind: (kind) => chosen.has(kind),
      onJobEnd: (kind, outcome) => health?.jobEnded(kind, outcome),
    });
    cleanup.defer(close);
    const port = values.get(healthPort);
    const health =
      port === undefined
        ? undefined
        : cleanup.use(await serveWorkerHealth({ host: values.get(healthHost), port, jobService, drain }));
    const working = jobService.work({ untilIdle: values.get(untilIdle), drain });
    drain.addEventListener('abort', () => {
      log.info('worker is draining');
      void pause(values.get(drainSeconds) * 1000, undefined, { ref: false }).then(() => stop.abort(drain.reason));
    });
    await working;
    return 0;
  },
};

/** With PostgreSQL, other machines may have the browser that this one lacks. */
async function chooseKinds(values: SettingValues): Promise<Set<string>> {
  const named = values.get(kinds) ?? [...jobKinds.keys()];
  const unknown = named.find((kind) => !jobKinds.has(kind));
  if (unknown !== undefined) {
    const near = findNearestName(unknown, [...jobKinds.keys()]);
    const message = `--kinds names ${JSON.stringify(unknown)}, which is no kind of job.${near ? ` Did you mean ${near}?` : ''} Known kinds: ${[...jobKinds.keys()].join(', ')}.`;
    throw new Failure('configuration', 'UNKNOWN_NAME', message);
  }
  const isFleet = values.get(settings.databaseUrl) !== undefined;
  const search = { env: process.env, home: values.get(settings.home) };
  const hasBrowser = !isFleet || (await findBrowser(search).catch(() => undefined)) !== undefined;
  const usable = named.filter((kind) => hasBrowser || !jobKinds.get(kind)?.needs.includes('browser'));
  if (usable.length > 0) return new Set(usable);
  const message = `This machine has no browser, and jobs of the kinds ${named.join(', ')} need one. Install Chromium or set ASSAY_BROWSER, or name other kinds with --kinds.`;
  throw new Failure('configuration', 'BROWSER_MISSING', message);
}
