import { isJsonObject, type Json, type JsonObject } from '../../platform/json.ts';
import { lcovParseFailure } from '../lcov/lcov-records.ts';
import type { CoverageStore, ReportScanner } from '../store/coverage-store.ts';
import { reportTooLarge } from '../store/report-limits.ts';
import { addFunction, addLine, isLineNumber } from './store-writer.ts';

const maxFileBytes = 32 * 1024 * 1024;
const character = { quote: 0x22, backslash: 0x5c, open: 0x7b, close: 0x7d } as const;

/**
 * Creates a scanner for Istanbul JSON (`coverage-final.json`): an object with one object for each source file. Each of them is
 * parsed by itself, so that memory depends on the largest file and not on the report.
 */
export function createIstanbulScanner(store: CoverageStore): ReportScanner {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let parts: Buffer[] = [];
  let partsLength = 0;

  function keep(bytes: Buffer): void {
    partsLength += bytes.length;
    if (partsLength > maxFileBytes) throw reportTooLarge(`${maxFileBytes} bytes for one source file`);
    parts.push(Buffer.from(bytes));
  }

  function readFile(): void {
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    partsLength = 0;
    let entry: unknown;
    try {
      entry = JSON.parse(text);
    } catch (cause) {
      throw lcovParseFailure(`the Istanbul report is not valid JSON: ${cause instanceof Error ? cause.message : ''}`);
    }
    if (isJsonObject(entry)) addEntry(store, entry);
  }

  return {
    feed(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let from = 0;
      for (let at = 0; at < bytes.length; at++) {
        const value = bytes[at];
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (value === character.backslash) isEscaped = true;
          else if (value === character.quote) isText = false;
        } else if (value === character.quote) isText = true;
        else if (value === character.open && ++depth === 2) from = at;
        else if (value === character.close && --depth === 1) {
          keep(bytes.subarray(from, at + 1));
          readFile();
        }
      }
      if (depth >= 2) keep(bytes.subarray(from));
    },

    end() {
      if (depth !== 0 || isText) throw lcovParseFailure('the Istanbul report ends inside an object; write it again');
      return {};
    },
  };
}

function addEntry(store: CoverageStore, given: JsonObject): void {
  // Some tools wrap the data.
  const entry = isJsonObject(given['data']) ? given['data'] : given;
  const path = entry['path'];
  if (typeof path !== 'string' || path === '') return;
  const file = store.fileNumber(path);
  const counts = toObject(entry['s']);
  for (const [id, location] of Object.entries(toObject(entry['statementMap'])))
    addLine(store, file, startLine(location), isHit(counts[id]));
  addBranches(store, file, entry);
  const calls = toObject(entry['f']);
  for (const [id, location] of Object.entries(toObject(entry['fnMap']))) {
    const { decl, loc } = toObject(location);
    addFunction(store, file, startLine(decl) || startLine(loc), id, isHit(calls[id]));
  }
}

function addBranches(store: CoverageStore, file: number, entry: JsonObject): void {
  if (!store.branches) return;
  const locationsById = toObject(entry['branchMap']);
  let number = 0;
  for (const [id, counts] of Object.entries(toObject(entry['b']))) {
    const { loc, locations } = toObject(locationsById[id]);
    const line = startLine(loc) || startLine(Array.isArray(locations) ? locations[0] : undefined);
    for (const count of Array.isArray(counts) ? counts : []) store.branches.add(file, line, number++, isHit(count));
  }
}

function startLine(location: Json | undefined): number {
  const line = Number(toObject(toObject(location)['start'])['line']);
  return isLineNumber(line) ? line : 0;
}

function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function isHit(count: Json | undefined): boolean {
  return typeof count === 'number' && count > 0;
}
