import { open } from 'node:fs/promises';

/**
 * Writes an LCOV report of about the given size in the style of Istanbul: functions, lines, totals, branches. Source files have 30
 * to 1200 coverable lines, a quarter of them not covered. The same size always gives the same bytes.
 */
export async function generateLcovReport(path: string, bytes: number): Promise<void> {
  const random = createRandom(7);
  const file = await open(path, 'w');
  try {
    let written = 0;
    for (let source = 1; written < bytes; ) {
      let text = '';
      while (text.length < 2 ** 20 && written + text.length < bytes) text += sourceRecord(source++, random);
      await file.writeFile(text);
      written += text.length;
    }
  } finally {
    await file.close();
  }
}

function sourceRecord(source: number, random: (below: number) => number): string {
  const lines = 30 + random(1170);
  const functions = 1 + (lines >>> 5);
  const branches = lines >>> 2;
  let text = `TN:\nSF:packages/package-${source % 97}/src/feature-${source % 1013}/component-${source}.ts\n`;
  for (let n = 0; n < functions; n++) text += `FN:${1 + n * 30},doSomething${n}\n`;
  text += `FNF:${functions}\nFNH:${functions >>> 1}\n`;
  for (let n = 0; n < functions; n++) text += `FNDA:${random(3) * random(50)},doSomething${n}\n`;
  for (let n = 0, line = 0; n < lines; n++) {
    line += 1 + (random(4) === 0 ? random(4) : 0);
    text += `DA:${line},${random(4) === 0 ? 0 : 1 + (random(3) === 0 ? random(100_000) : random(20))}\n`;
  }
  text += `LF:${lines}\nLH:${lines >>> 1}\n`;
  for (let n = 0; n < branches; n++)
    text += `BRDA:${1 + n * 4},${n >>> 1},${n & 1},${random(3) === 0 ? '-' : random(20)}\n`;
  return `${text}BRF:${branches}\nBRH:${branches >>> 1}\nend_of_record\n`;
}

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}
