import { StringDecoder } from 'node:string_decoder';
import { percent } from '../report/coverage-report.ts';
import type { CoverageStore, ReportScanner } from '../store/coverage-store.ts';
import { createPairIndex } from '../store/pair-index.ts';
import { coverageLimits, reportTooLarge } from '../store/report-limits.ts';
import { type GoModule, pathInModules } from './go-modules.ts';
import { isLineNumber } from './store-writer.ts';

const maxLineLength = 8192;
/** A block costs time by its lines, so that a hostile report must not claim many. */
const maxLinesPerBlock = 65_536;
/** `<import path>/<file>:<line>.<column>,<line>.<column> <statements> <count>` */
const blockPattern = /^(.+):(\d+)\.(\d+),(\d+)\.(\d+) (\d+) (\d+)\s*$/;

/**
 * Creates a scanner for Go cover profiles. They list blocks of statements; every line of a block is a line that ran if any of
 * its blocks did.
 */
export function createGoProfileScanner(store: CoverageStore, modules: readonly GoModule[]): ReportScanner {
  const decoder = new StringDecoder('utf8');
  const statements = createStatementCounter();
  let partial = '';
  let file = -1;
  let fileName = '';

  function readLine(line: string): void {
    const [, name, ...fields] = line.length > maxLineLength ? [] : (blockPattern.exec(line) ?? []);
    if (name === undefined) return;
    const [startLine = 0, startColumn = 0, endLine = 0, endColumn = 0, count = 0, runs = 0] = fields.map(Number);
    if (!isLineNumber(startLine) || !isLineNumber(endLine) || endLine < startLine) return;
    if (endLine - startLine >= maxLinesPerBlock) throw reportTooLarge(`${maxLinesPerBlock} lines in one block`);
    if (name !== fileName) {
      fileName = name;
      file = store.fileNumber(pathInModules(name, modules));
    }
    if (count === 0) return;
    statements.add(file, [startLine, startColumn, endLine, endColumn], count, runs > 0);
    addLines(store, file, startLine, endLine, runs > 0);
  }

  return {
    feed(chunk) {
      const lines = (partial + decoder.write(Buffer.from(chunk))).split('\n');
      // Shortened, but still too long to be read.
      partial = (lines.pop() ?? '').slice(0, maxLineLength + 1);
      for (const line of lines) readLine(line);
    },

    end() {
      readLine(partial);
      const { found, hit } = statements.totals();
      const note = `Go counts statements: ${hit} of ${found} ran (${percent(hit, found)} %). The figures here count lines of their blocks.`;
      return { notes: found > 0 ? [note] : [] };
    },
  };
}

/** Adds the lines of a block, 32 at a time. */
function addLines(store: CoverageStore, file: number, first: number, last: number, hit: boolean): void {
  for (let word = first >>> 5; word <= last >>> 5; word++) {
    const from = Math.max(first - word * 32, 0);
    const to = Math.min(last - word * 32, 31);
    const bits = (0xffffffff >>> (31 - to)) & (0xffffffff << from);
    store.lines.add(file, word, bits, hit ? bits : 0);
  }
}

type Block = readonly [startLine: number, startColumn: number, endLine: number, endColumn: number];

/** Counts the statements of distinct blocks. Profiles of several packages repeat blocks; `go tool cover` merges them too. */
function createStatementCounter() {
  const positions = createPairIndex();
  const ranges = createPairIndex();
  const blocks = createPairIndex();
  const counts: number[] = [];
  const hits: boolean[] = [];
  return {
    add(file: number, [startLine, startColumn, endLine, endColumn]: Block, count: number, hit: boolean): void {
      const start = positions.numberOf(startLine, startColumn >>> 0);
      const end = positions.numberOf(endLine, endColumn >>> 0);
      const block = blocks.numberOf(file, ranges.numberOf(start, end));
      if (blocks.size > coverageLimits.countedParts / 4)
        throw reportTooLarge(`${coverageLimits.countedParts / 4} blocks`);
      counts[block] = count;
      hits[block] = hits[block] === true || hit;
    },

    totals() {
      let found = 0;
      let hit = 0;
      for (const [block, count] of counts.entries()) {
        found += count;
        if (hits[block]) hit += count;
      }
      return { found, hit };
    },
  };
}
