import { byte, commaIn, fingerprint, isDigit, ran, wholeNumber } from './lcov-fields.ts';
import { tooLarge } from './limits.ts';
import type { PartStore } from './part-store.ts';

/**
 * The functions of one record. Old records say where a function is (FN) and how often it ran (FNDA) apart from each other,
 * joined by name; new ones (FNL, FNA) join all names of one function by an index, and count it once. Either part may come
 * first, so a record is settled at its end.
 */
export interface FunctionRecords {
  /** Takes one record whose key begins with FN; the range is the whole line. */
  take(bytes: Uint8Array, start: number, end: number): void;
  /** Hands the functions gathered since the last call to a file. */
  settle(file: number): void;
}

interface Named {
  lines: number[];
  counts: boolean[];
}

interface Group {
  line: number;
  hit: boolean;
}

const maxPerRecord = 1_000_000;
const letter = { A: 0x41, D: 0x44, L: 0x4c } as const;
/** Groups are known by their line alone; their names change from one build to the next. */
const groupFingerprint = 0;

export function createFunctionRecords(functions: PartStore): FunctionRecords {
  const named = new Map<number, Named>();
  const groups = new Map<number, Group>();
  let taken = 0;

  function byName(bytes: Uint8Array, start: number, end: number): Named {
    const name = fingerprint(bytes, start, end) * 2 ** 21 + (fingerprint(bytes, start, end, 0x9747b28c) >>> 11);
    const entry = named.get(name) ?? { lines: [], counts: [] };
    named.set(name, entry);
    return entry;
  }

  function byIndex(index: number): Group {
    const group = groups.get(index) ?? { line: 0, hit: false };
    groups.set(index, group);
    return group;
  }

  /** `FN:<start>,[<end>,]<name>` */
  function declared(bytes: Uint8Array, start: number, end: number): void {
    const comma = commaIn(bytes, start, end);
    const line = wholeNumber(bytes, start, comma);
    if (line < 0 || comma + 1 >= end) return;
    const second = commaIn(bytes, comma + 1, end);
    const hasEnd = second + 1 < end && isDigit(bytes[comma + 1]) && wholeNumber(bytes, comma + 1, second) >= 0;
    const { lines } = byName(bytes, hasEnd ? second + 1 : comma + 1, end);
    if (!lines.includes(line)) lines.push(line);
  }

  /** `FNDA:<count>,<name>` */
  function counted(bytes: Uint8Array, start: number, end: number): void {
    const comma = commaIn(bytes, start, end);
    const hit = ran(bytes, start, comma);
    if (hit !== undefined && comma + 1 < end) byName(bytes, comma + 1, end).counts.push(hit);
  }

  /** `FNL:<index>,<start>[,<end>]` */
  function groupDeclared(bytes: Uint8Array, start: number, end: number): void {
    const comma = commaIn(bytes, start, end);
    const index = wholeNumber(bytes, start, comma);
    const line = wholeNumber(bytes, comma + 1, commaIn(bytes, comma + 1, end));
    if (index >= 0 && line >= 0) byIndex(index).line = line;
  }

  /** `FNA:<index>,<count>,<name>` */
  function groupCounted(bytes: Uint8Array, start: number, end: number): void {
    const comma = commaIn(bytes, start, end);
    const index = wholeNumber(bytes, start, comma);
    const hit = ran(bytes, comma + 1, commaIn(bytes, comma + 1, end));
    if (index >= 0 && hit !== undefined) byIndex(index).hit ||= hit;
  }

  return {
    take(bytes, start, end) {
      if (++taken > maxPerRecord) throw tooLarge(`${maxPerRecord} function records for one source file`);
      const colon =
        bytes[start + 2] === byte.colon ? start + 2 : bytes[start + 3] === byte.colon ? start + 3 : start + 4;
      const kind = bytes[start + 2];
      if (colon === start + 2) declared(bytes, start + 3, end);
      else if (colon === start + 3 && kind === letter.L) groupDeclared(bytes, start + 4, end);
      else if (colon === start + 3 && kind === letter.A) groupCounted(bytes, start + 4, end);
      else if (bytes[colon] === byte.colon && kind === letter.D && bytes[start + 3] === letter.A) {
        counted(bytes, start + 5, end);
      }
    },

    settle(file) {
      if (taken === 0) return;
      taken = 0;
      for (const [name, { lines, counts }] of named) {
        // One name may stand for several functions of a file; their counts come in the order of their declarations.
        const spare = counts.slice(Math.max(lines.length, 1)).some(Boolean);
        const places = lines.length > 0 ? lines : [0];
        places.forEach((line, index) => {
          const last = index === places.length - 1;
          functions.add(file, line, (name % 2 ** 32) >>> 0, (counts[index] ?? false) || (last && spare));
        });
      }
      for (const { line, hit } of groups.values()) functions.add(file, line, groupFingerprint, hit);
      named.clear();
      groups.clear();
    },
  };
}
