import { createLog } from '../platform/log.ts';
import { readSettings, settings } from '../platform/settings.ts';
import { offerOf } from '../server/offer.ts';
import { buildServer } from '../server/server.ts';
import { serveStdio } from '../server/stdio.ts';
import type { Command } from './command.ts';
import { httpSettings } from './http-settings.ts';
import { createLocalServices, scheduleResume } from './local-services.ts';
import { outliveDefects, stopSignal } from './stop.ts';
import { surfaceOf, surfaceSettings } from './surface.ts';

export const serve: Command = {
  name: 'serve',
  usage: '[--http]',
  summary: 'Serve the tools to an MCP client, over stdio or HTTP.',
  settings: [
    ...surfaceSettings,
    settings.logLevel,
    settings.home,
    settings.databaseUrl,
    settings.secretKey,
    settings.sharedWizards,
    settings.maxMessageBytes,
    settings.http,
    ...httpSettings,
  ],
  async run(argv) {
    const given = readSettings(serve.settings, argv, process.env);
    const log = createLog(given.get(settings.logLevel));
    const stop = stopSignal();
    outliveDefects(log);
    if (given.get(settings.http)) {
      const { serveOverHttp } = await import('./serve-http.ts');
      await serveOverHttp(given, log, stop);
      return 0;
    }
    const { services, room, close } = createLocalServices(given, log, stop, true);
    const offer = offerOf(await surfaceOf(given), services);
    const served = serveStdio(() => buildServer(offer, log), log, given.get(settings.maxMessageBytes));
    scheduleResume(room, log);
    stop.addEventListener('abort', () => void served.close());
    await served.closed;
    await close();
    return 0;
  },
};
