import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { readReport } from '../../src/coverage/index.ts';
import { peerModule } from '../peers.ts';
import { median } from '../table.ts';

/**
 * Run as a child of the bench: reads one report with one reader, and prints what that cost. The cost is that of the calls, as in
 * a server that runs already; loading Node and the reader is not in it.
 */
export interface Cost {
  /** Of the first call, and the median of those after it; the only one when there was but one. */
  firstSeconds: number;
  seconds: number;
  peakMegabytes: number;
}

type Reader = (path: string) => Promise<unknown>;

/** The one function of a module that is asked for, whatever it was exported as. */
async function functionOf(name: string, ...names: string[]): Promise<(...args: unknown[]) => unknown> {
  let owner: unknown;
  let found: unknown = await import(pathToFileURL(peerModule(name)).href);
  for (const key of names) {
    owner = found;
    const holds = (typeof found === 'object' && found !== null) || typeof found === 'function';
    found = holds ? Reflect.get(Object(found), key) : undefined;
  }
  if (typeof found !== 'function') throw new Error(`${name} has no ${names.join('.')}`);
  const callable = found;
  return (...args) => Reflect.apply(callable, owner, args);
}

const readers: Record<string, () => Promise<Reader>> = {
  assay: async () => (path) => readReport(path),
  'assay-all': async () => (path) => readReport(path, { include: ['branches', 'functions'] }),
  '@friedemannsommer/lcov-parser': async () => {
    const parse = await functionOf('@friedemannsommer/lcov-parser', 'lcovParser');
    return async (path) => parse({ from: createReadStream(path) });
  },
  '@markusberg/lcov-parse': async () => {
    const parse = await functionOf('@markusberg/lcov-parse', 'loadAndParse');
    return async (path) => parse(path);
  },
  '@cedx/lcov': async () => {
    const parse = await functionOf('@cedx/lcov', 'Report', 'parse');
    return async (path) => parse(await readFile(path, 'utf8'));
  },
  'lcov-parse': async () => {
    const parse = await functionOf('lcov-parse', 'default');
    return (path) =>
      new Promise((resolve, reject) => {
        parse(path, (error: unknown, data: unknown) => (error ? reject(new Error(String(error))) : resolve(data)));
      });
  },
  'parse-lcov': async () => {
    const parse = await functionOf('parse-lcov', 'default', 'default');
    return async (path) => parse(await readFile(path, 'utf8'));
  },
  'lcov-total': async () => {
    const total = await functionOf('lcov-total/src/index.js', 'default');
    return async (path) => total(path);
  },
};

export const readerNames: readonly string[] = Object.keys(readers);

async function main([name = '', path = '', calls = '1']: readonly string[]): Promise<void> {
  const read = await readers[name]?.();
  if (!read) throw new Error(`no reader ${name}`);
  const seconds: number[] = [];
  for (let call = 0; call < Number(calls); call++) {
    const before = process.cpuUsage();
    await read(path);
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / 1e6);
  }
  const [first = 0, ...later] = seconds;
  const cost: Cost = {
    firstSeconds: first,
    seconds: later.length > 0 ? median(later) : first,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
  process.stdout.write(`${JSON.stringify(cost)}\n`);
}

if (import.meta.main) await main(process.argv.slice(2));
