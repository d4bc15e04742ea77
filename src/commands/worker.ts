import { createLog } from '../platform/log.ts';
import { readSettings, type Setting, settings } from '../platform/settings.ts';
import { toolsetSettings } from '../tool/toolsets.ts';
import type { Command } from './command.ts';
import { createLocalServices } from './local-services.ts';
import { createStopSignal, logUncaughtErrors } from './startup/process-signals.ts';

const untilIdle: Setting<boolean> = {
  flag: 'until-idle',
  env: '',
  help: 'End when no job is due and none is running, here or elsewhere.',
  parse: settings.readOnly.parse,
};

export const workerCommand: Command = {
  name: 'worker',
  usage: '[--until-idle]',
  summary: 'Run queued jobs: scans, test runs, reports. A server runs its own jobs; more workers share the queue.',
  settings: [
    untilIdle,
    settings.logLevel,
    settings.home,
    settings.databaseUrl,
    settings.jobRetentionDays,
    ...toolsetSettings,
  ],
  async run(argv) {
    const values = readSettings(workerCommand.settings, argv, process.env);
    const stop = createStopSignal();
    const log = createLog(values.get(settings.logLevel));
    logUncaughtErrors(log);
    const { jobService, close } = createLocalServices(values, log, stop, true);
    await jobService.work({ untilIdle: values.get(untilIdle) });
    await close();
    return 0;
  },
};
