import { offerOf } from '../mcp/offer.ts';
import { buildServer } from '../mcp/server.ts';
import { serveStdio } from '../mcp/stdio.ts';
import { loadToolset } from '../mcp/toolsets.ts';
import { createLog } from '../platform/log.ts';
import { readSettings, settings } from '../platform/settings.ts';
import type { Command } from './command.ts';
import { httpSettings } from './http-settings.ts';
import { surfaceOf, surfaceSettings } from './surface.ts';

export const serve: Command = {
  name: 'serve',
  usage: '[--http]',
  summary: 'Serve the tools to an MCP client, over stdio or HTTP.',
  settings: [...surfaceSettings, settings.logLevel, settings.http, ...httpSettings],
  async run(argv) {
    const given = readSettings(serve.settings, argv, process.env);
    const log = createLog(given.get(settings.logLevel));
    const stop = stopSignal();
    if (given.get(settings.http)) {
      const { serveOverHttp } = await import('./serve-http.ts');
      await serveOverHttp(given, log, stop);
      return 0;
    }
    const offer = offerOf(await surfaceOf(given), { loadToolset, log, cwd: process.cwd(), shutdown: stop });
    const served = serveStdio(() => buildServer(offer, log), log);
    stop.addEventListener('abort', () => void served.close());
    await served.closed;
    return 0;
  },
};

/** Aborted by the first SIGINT or SIGTERM; a second one ends the process at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => (stop.signal.aborted ? process.exit(130) : stop.abort(new Error(signal))));
  }
  return stop.signal;
}
