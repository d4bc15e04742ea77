import { describe, expect, it, vi } from 'vitest';
import { createReportMerger } from '../report/report-merger.ts';
import type { Measure } from '../store/coverage-store.ts';
import { createPairIndex, hashPair } from '../store/pair-index.ts';
import { scanLcov } from '../test-support/lcov-test-support.ts';

/** Of the processor's time: far more than any of these takes, far less than each took when its defence was missing. */
const soonMs = 1500;

function timed(text: string, include: readonly Measure[] = []): number {
  const bytes = Buffer.from(text);
  const start = process.cpuUsage();
  scanLcov(bytes, include);
  return process.cpuUsage(start).user / 1000;
}

describe('reads a hostile report fast:', () => {
  it('line pages that collide under a known hash', () => {
    const records: string[] = [];
    for (let file = 0, pages = 0; pages < 60_000; file++) {
      records.push(`SF:f${file}`);
      const start = Math.imul(file, 0x9e3779b1);
      for (let page = 0; page < 3_900_000 && pages < 60_000; page++) {
        const mixed = Math.imul(start ^ page, 0x85ebca6b);
        if (((mixed ^ (mixed >>> 15)) & 0x3fffff) >= 512) continue;
        records.push(`DA:${page * 256 + 1},1`);
        pages++;
      }
    }
    expect(timed(`${records.join('\n')}\n`)).toBeLessThan(soonMs);
  });

  it('branches whose lines and names cancel out', () => {
    let inverse = 1;
    for (let step = 0; step < 6; step++) inverse = Math.imul(inverse, 2 - Math.imul(0x9e3779b1, inverse));
    const records = ['SF:a'];
    for (let branch = 0; records.length < 80_000; branch++) {
      let name = 0x811c9dc5;
      for (const character of Buffer.from(`0,${branch}`)) name = Math.imul(name ^ character, 0x01000193);
      const line = Math.imul(name, inverse) >>> 0;
      if (line > 0 && line < 999_999_999) records.push(`BRDA:${line},0,${branch},1`);
    }
    expect(timed(`${records.join('\n')}\n`, ['branches'])).toBeLessThan(soonMs);
  });

  it('two files that alternate', () => {
    const records = Array.from({ length: 60_000 }, (_, n) => `SF:a\nBRDA:${n + 1},0,0,1\nSF:b\nBRDA:${n + 1},0,0,1\n`);
    expect(timed(records.join(''), ['branches'])).toBeLessThan(soonMs);
  });

  it.each([
    ['groups', (key: number) => `FNL:${key},1`],
    ['lines of one function', (key: number) => `FN:${key},f`],
  ])('numbers that collide in a Map of V8, as %s', (_, written) => {
    const keys: number[] = [];
    for (let key = 1; keys.length < 60_000; key++) if ((hashOfV8(key) & 0x3fff) === 77) keys.push(key);
    expect(timed(`SF:a\n${keys.map(written).join('\n')}\nend_of_record\n`, ['functions'])).toBeLessThan(soonMs);
  });

  it('paths so long that V8 hashes only their length', () => {
    const path = 'p'.repeat(60_000);
    const records = Array.from({ length: 1500 }, (_, n) => `SF:${path}${n + 1000}\nDA:1,1\n`);
    expect(timed(records.join(''))).toBeLessThan(soonMs);
  });
});

/** How V8 hashes small whole numbers. */
function hashOfV8(key: number): number {
  let hash = (~key + (key << 15)) >>> 0;
  hash = (hash ^ (hash >>> 12)) >>> 0;
  hash = (hash + (hash << 2)) >>> 0;
  hash = (hash ^ (hash >>> 4)) >>> 0;
  hash = Math.imul(hash, 2057) >>> 0;
  return (hash ^ (hash >>> 16)) >>> 0;
}

describe('the hash of pairs', () => {
  it('is random in each process', async () => {
    vi.resetModules();
    const again = await import('../store/pair-index.ts');
    const pairs = Array.from({ length: 100 }, (_, n) => [n, n * 77] as const);
    const same = pairs.filter(([one, other]) => hashPair(one, other) === again.hashPair(one, other));
    expect(same).toEqual([]);
  });

  it('depends on every bit of both numbers', () => {
    const positions = new Set([hashPair(0, 0)]);
    for (let bit = 0; bit < 32; bit++) positions.add(hashPair((1 << bit) >>> 0, 0)).add(hashPair(0, (1 << bit) >>> 0));
    expect(positions.size).toBe(65);
  });

  it('does not affect their numbers', () => {
    const index = createPairIndex();
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 5000; n++) expect(index.numberOf(n % 70, (n * 0x1234567) >>> 0)).toBe(n);
      for (let n = 0; n < 5000; n++) expect(index.numberOf(n % 70, (n * 0x1234567) >>> 0)).toBe(n);
      const copy = new Uint32Array(10_001);
      index.copyTo(copy, 1);
      expect([index.size, index.other(1), ...copy.slice(0, 5)]).toEqual([5000, 0x1234567, 0, 0, 0, 1, 0x1234567]);
      index.clear();
      expect(index.size).toBe(0);
    }
  });
});

it('yields to other work while reports are merged', async () => {
  const one = Array.from({ length: 400 }, (_, n) => `DA:${n + 1},1\nBRDA:${n + 1},0,0,1\n`).join('');
  const store = scanLcov(Array.from({ length: 4000 }, (_, n) => `SF:src/${n}\n${one}`).join(''), ['branches']);
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  await createReportMerger(['branches']).add(store, store.paths);
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(1);
});
