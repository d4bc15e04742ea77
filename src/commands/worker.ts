import { createLog } from '../platform/log.ts';
import { readSettings, type Setting, settings } from '../platform/settings.ts';
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
  summary: 'Do the long work that was handed in: scans, runs, reports. A server does its own; more workers share it.',
  settings: [untilIdle, settings.logLevel, settings.home, settings.databaseUrl, settings.secretKey],
  async run(argv) {
    const given = readSettings(workerCommand.settings, argv, process.env);
    const stop = createStopSignal();
    const log = createLog(given.get(settings.logLevel));
    logUncaughtErrors(log);
    const { room, close } = createLocalServices(given, log, stop, true);
    await room.work(given.get(untilIdle));
    await close();
    return 0;
  },
};
