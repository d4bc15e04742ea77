import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { readReport } from '../../src/coverage/index.ts';
import { peerModule } from '../peers.ts';
import { median } from '../table.ts';

/**
 * Runs as a child process: reads one report with one reader and prints the cost. The cost covers the calls, as in a running
 * server, and not the start of Node and the reader.
 */
export interface ReadCost {
  /** CPU seconds of the first call; `seconds` is the median of the later ones, or the first if there is only one. */
  firstSeconds: number;
  seconds: number;
  peakMegabytes: number;
}

type Reader = (path: string) => Promise<unknown>;

/** Finds a function of a module by the path of its export, such as `default`, `default`. */
async function findFunction(name: string, ...names: string[]): Promise<(...args: unknown[]) => unknown> {
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
    const parse = await findFunction('@friedemannsommer/lcov-parser', 'lcovParser');
    return async (path) => parse({ from: createReadStream(path) });
  },
  '@markusberg/lcov-parse': async () => {
    const parse = await findFunction('@markusberg/lcov-parse', 'loadAndParse');
    return async (path) => parse(path);
  },
  '@cedx/lcov': async () => {
    const parse = await findFunction('@cedx/lcov', 'Report', 'parse');
    return async (path) => parse(await readFile(path, 'utf8'));
  },
  'lcov-parse': async () => {
    const parse = await findFunction('lcov-parse', 'default');
    return (path) =>
      new Promise((resolve, reject) => {
        parse(path, (error: unknown, data: unknown) => (error ? reject(new Error(String(error))) : resolve(data)));
      });
  },
  'parse-lcov': async () => {
    const parse = await findFunction('parse-lcov', 'default', 'default');
    return async (path) => parse(await readFile(path, 'utf8'));
  },
  'lcov-total': async () => {
    const total = await findFunction('lcov-total/src/index.js', 'default');
    return async (path) => total(path);
  },
};

export const readerNames: readonly string[] = Object.keys(readers);

async function main([name = '', path = '', calls = '1']: readonly string[]): Promise<void> {
  const read = await readers[name]?.();
  if (!read) throw new Error(`Unknown reader ${name}`);
  const seconds: number[] = [];
  for (let call = 0; call < Number(calls); call++) {
    const before = process.cpuUsage();
    await read(path);
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / 1e6);
  }
  const [first = 0, ...later] = seconds;
  const cost: ReadCost = {
    firstSeconds: first,
    seconds: later.length > 0 ? median(later) : first,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
  process.stdout.write(`${JSON.stringify(cost)}\n`);
}

if (import.meta.main) await main(process.argv.slice(2));
