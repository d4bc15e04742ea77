import { Failure } from '../platform/errors.ts';
import { readSettings, settings } from '../platform/settings.ts';
import { type Command, printStdout } from './command.ts';
import { createStopSignal } from './startup/process-signals.ts';

/** Internal command: a scan job starts it. It ends when its stdin is closed. */
export const scanEngineCommand: Command = {
  name: 'scan-engine',
  usage: '<workspace> <config> [<results>]',
  summary: 'Internal: run the native accessibility engine on a workspace. Scans start it.',
  settings: [],
  async run([root, configFile, resume]) {
    if (root === undefined || configFile === undefined)
      throw new Failure('configuration', 'BAD_USAGE', 'scan-engine needs a workspace and the name of a config in it.');
    const values = readSettings([], [], process.env);
    const stop = new AbortController();
    createStopSignal().addEventListener('abort', () => stop.abort());
    process.stdin.on('end', () => stop.abort()).resume();
    const inside = process.env['ASSAY_SCAN_INSIDE'];
    const { createAddressGuard } = await import('../platform/network/address-guard.ts');
    const guard = createAddressGuard(inside === undefined ? undefined : JSON.parse(inside));
    const { runEngine } = await import('../accessibility/index.ts');
    const { exitCode } = await runEngine({
      root,
      configFile,
      home: values.get(settings.home),
      print: (line: string) => void printStdout(line),
      signal: stop.signal,
      ...(inside !== undefined && { checkAddress: (url: string) => guard.check(url) }),
      ...(guard.lookup && { lookup: guard.lookup }),
      ...(resume !== undefined && { resume }),
    });
    return exitCode;
  },
};
