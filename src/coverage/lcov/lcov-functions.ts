import { createPairIndex } from '../store/pair-index.ts';
import type { PartStore } from '../store/part-store.ts';
import { reportTooLarge } from '../store/report-limits.ts';
import { byte, fingerprint, indexOfComma, isDigit, parseHit, parseWholeNumber } from './lcov-fields.ts';

/**
 * Collects the functions of one record. Old records give the line (FN) and the count (FNDA) of a function separately, joined
 * by name. New ones (FNL, FNA) join all names of a function by an index and count it once. Either part may come first, so
 * functions are stored at the end of a record.
 */
export interface FunctionRecords {
  /** Reads one line whose key starts with FN; the range is the whole line. */
  readRecord(bytes: Uint8Array, start: number, end: number): void;
  /** Stores the functions read since the last call in a file. */
  flush(file: number): void;
}

interface NamedFunctions {
  /** Distinct. */
  lines: number[];
  hits: boolean[];
}

interface FunctionGroup {
  line: number;
  /** Distinguishes functions on one line. Names cannot: they change from build to build. */
  fingerprint: number;
  hit: boolean;
}

const maxPerRecord = 1_000_000;
const letter = { A: 0x41, D: 0x44, L: 0x4c } as const;

export function createFunctionRecords(functions: PartStore): FunctionRecords {
  /** Fingerprints of names with their lines, and with whether they ran, in the order of the record. */
  const declarations: { names: number[]; lines: number[] } = { names: [], lines: [] };
  const calls: { names: number[]; hits: boolean[] } = { names: [], hits: [] };
  const groups: FunctionGroup[] = [];
  // Not maps: V8 hashes numbers predictably, so a hostile report could cause collisions.
  const groupNumbers = createPairIndex();
  const nameNumbers = createPairIndex();
  const locationNumbers = createPairIndex();
  let recordCount = 0;

  function groupByIndex(index: number): FunctionGroup {
    const number = groupNumbers.numberOf(index, 0);
    const group = groups[number] ?? { line: 0, fingerprint: index, hit: false };
    groups[number] = group;
    return group;
  }

  /** `FN:<start>,[<end>,]<name>` */
  function readDeclaration(bytes: Uint8Array, start: number, end: number): void {
    const comma = indexOfComma(bytes, start, end);
    const line = parseWholeNumber(bytes, start, comma);
    if (line < 0 || comma + 1 >= end) return;
    const second = indexOfComma(bytes, comma + 1, end);
    const hasEnd = second + 1 < end && isDigit(bytes[comma + 1]) && parseWholeNumber(bytes, comma + 1, second) >= 0;
    declarations.names.push(fingerprintName(bytes, hasEnd ? second + 1 : comma + 1, end));
    declarations.lines.push(line);
  }

  /** `FNDA:<count>,<name>` */
  function readCount(bytes: Uint8Array, start: number, end: number): void {
    const comma = indexOfComma(bytes, start, end);
    const hit = parseHit(bytes, start, comma);
    if (hit === undefined || comma + 1 >= end) return;
    calls.names.push(fingerprintName(bytes, comma + 1, end));
    calls.hits.push(hit);
  }

  /** `FNL:<index>,<start>[,<end>]` */
  function readGroupDeclaration(bytes: Uint8Array, start: number, end: number): void {
    const comma = indexOfComma(bytes, start, end);
    const index = parseWholeNumber(bytes, start, comma);
    const second = indexOfComma(bytes, comma + 1, end);
    const line = parseWholeNumber(bytes, comma + 1, second);
    if (index < 0 || line < 0) return;
    const group = groupByIndex(index);
    group.line = line;
    group.fingerprint = Math.max(0, parseWholeNumber(bytes, second + 1, end));
  }

  /** `FNA:<index>,<count>,<name>` */
  function readGroupCount(bytes: Uint8Array, start: number, end: number): void {
    const comma = indexOfComma(bytes, start, end);
    const index = parseWholeNumber(bytes, start, comma);
    const hit = parseHit(bytes, comma + 1, indexOfComma(bytes, comma + 1, end));
    if (index >= 0 && hit !== undefined) groupByIndex(index).hit ||= hit;
  }

  function joinByName(): { name: number; entry: NamedFunctions }[] {
    nameNumbers.clear();
    locationNumbers.clear();
    const named: { name: number; entry: NamedFunctions }[] = [];
    const numberOf = (name: number): number => {
      const number = nameNumbers.numberOf(Math.floor(name / 2 ** 32), lowerHalf(name));
      named[number] ??= { name, entry: { lines: [], hits: [] } };
      return number;
    };
    declarations.names.forEach((name, index) => {
      const line = declarations.lines[index] ?? 0;
      const number = numberOf(name);
      const before = locationNumbers.size;
      if (locationNumbers.numberOf(number, line) === before) named[number]?.entry.lines.push(line);
    });
    calls.names.forEach((name, index) => {
      named[numberOf(name)]?.entry.hits.push(calls.hits[index] ?? false);
    });
    return named;
  }

  /** Several functions of a file may share a name; their counts are in the order of their declarations. */
  function addNamed(file: number, name: number, { lines, hits }: NamedFunctions): void {
    const declaredLines = lines.length > 0 ? lines : [0];
    const anySurplusHit = hits.slice(declaredLines.length).some(Boolean);
    declaredLines.forEach((line, index) => {
      const last = index === declaredLines.length - 1;
      functions.add(file, line, lowerHalf(name), (hits[index] ?? false) || (last && anySurplusHit));
    });
  }

  return {
    readRecord(bytes, start, end) {
      if (++recordCount > maxPerRecord) throw reportTooLarge(`${maxPerRecord} function records for one source file`);
      const colon =
        bytes[start + 2] === byte.colon ? start + 2 : bytes[start + 3] === byte.colon ? start + 3 : start + 4;
      const kind = bytes[start + 2];
      if (colon === start + 2) readDeclaration(bytes, start + 3, end);
      else if (colon === start + 3 && kind === letter.L) readGroupDeclaration(bytes, start + 4, end);
      else if (colon === start + 3 && kind === letter.A) readGroupCount(bytes, start + 4, end);
      else if (bytes[colon] === byte.colon && kind === letter.D && bytes[start + 3] === letter.A) {
        readCount(bytes, start + 5, end);
      }
    },

    flush(file) {
      if (recordCount === 0) return;
      recordCount = 0;
      const { names, lines } = declarations;
      if (isSameOrder(names, calls.names)) {
        names.forEach((name, index) => {
          functions.add(file, lines[index] ?? 0, lowerHalf(name), calls.hits[index] ?? false);
        });
      } else {
        for (const { name, entry } of joinByName()) addNamed(file, name, entry);
      }
      for (const group of groups) functions.add(file, group.line, group.fingerprint, group.hit);
      for (const list of [names, lines, calls.names, calls.hits, groups]) list.length = 0;
      groupNumbers.clear();
    },
  };
}

/** Whether declarations and counts have the same order, as most tools write them, so that no lookup is needed. */
function isSameOrder(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((name, index) => other[index] === name);
}

/** A 53-bit fingerprint, enough to distinguish all names of a file. */
function fingerprintName(bytes: Uint8Array, start: number, end: number): number {
  return fingerprint(bytes, start, end) * 2 ** 21 + (fingerprint(bytes, start, end, 0x9747b28c) >>> 11);
}

function lowerHalf(name: number): number {
  return (name % 2 ** 32) >>> 0;
}
