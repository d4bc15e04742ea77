import { createLog } from '../platform/log.ts';
import { artifactSettings, readSettings, settings } from '../platform/settings.ts';
import { createMcpServer } from '../server/mcp-server.ts';
import { createServedSurface } from '../server/served-surface.ts';
import { withShortNames } from '../server/short-name-surface.ts';
import { serveStdio } from '../server/stdio-server.ts';
import { toolsetSettings } from '../tool/toolsets.ts';
import type { Command } from './command.ts';
import { createLocalServices, scheduleResume } from './local-services.ts';
import { httpSettings } from './startup/http-settings.ts';
import { createStopSignal, logUncaughtErrors } from './startup/process-signals.ts';
import { loadSurface, surfaceSettings } from './startup/surface-settings.ts';

export const serveCommand: Command = {
  name: 'serve',
  usage: '[--http]',
  summary: 'Serve the tools to an MCP client, over stdio or HTTP.',
  settings: [
    ...surfaceSettings,
    settings.lean,
    settings.screenshots,
    settings.maxNameLength,
    settings.logLevel,
    settings.home,
    settings.databaseUrl,
    ...artifactSettings,
    settings.runJobs,
    settings.jobsPerOwner,
    settings.jobRetentionDays,
    ...toolsetSettings,
    settings.maxMessageBytes,
    settings.http,
    ...httpSettings,
  ],
  async run(argv) {
    const values = readSettings(serveCommand.settings, argv, process.env);
    const log = createLog(values.get(settings.logLevel));
    const stop = createStopSignal();
    logUncaughtErrors(log);
    if (values.get(settings.http)) {
      const { serveOverHttp } = await import('./serve-http.ts');
      await serveOverHttp(values, log, stop);
      return 0;
    }
    const { services, jobService, close } = createLocalServices(
      values,
      log,
      stop,
      values.get(settings.runJobs) ? 'here' : 'elsewhere',
    );
    const specified = createServedSurface(await loadSurface(values), services);
    const full = withShortNames(specified, values.get(settings.maxNameLength));
    const surface = values.get(settings.lean)
      ? (await import('../server/lean-surface.ts')).createLeanSurface(full, log)
      : full;
    const served = serveStdio(() => createMcpServer(surface, log), log, values.get(settings.maxMessageBytes));
    scheduleResume(jobService, log);
    stop.addEventListener('abort', () => void served.close());
    await served.closed;
    await close();
    return 0;
  },
};
