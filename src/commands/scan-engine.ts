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
    const { createSliceVisitor, readSliceFile, runEngine, visitSlice } = await import('../accessibility/index.ts');
    const environment = {
      root,
      configFile,
      home: values.get(settings.home),
      print: (line: string) => void printStdout(line),
      signal: stop.signal,
      ...(inside !== undefined && { checkAddress: (url: string) => guard.check(url) }),
      ...(guard.lookup && { lookup: guard.lookup }),
    };
    const folder = process.env['ASSAY_SCAN_SLICE'];
    if (folder !== undefined) {
      await visitSlice({ ...environment, slice: await readSliceFile(folder), folder });
      return 0;
    }
    const parent = connectParent();
    const { exitCode } = await runEngine({
      ...environment,
      ...(resume !== undefined && { resume }),
      ...(parent && { visitorFor: (signal: AbortSignal) => createSliceVisitor(parent, signal) }),
    });
    return exitCode;
  },
};

/** The process that started this engine, where it has other workers visit pages. The channel does not keep the engine alive. */
function connectParent() {
  if (!process.send) return undefined;
  const send = process.send.bind(process);
  return {
    send: (message: object) => void send(message),
    onMessage(listener: (message: unknown) => void) {
      process.on('message', listener);
      process.channel?.unref();
    },
  };
}
