import { expect, test } from 'vitest';
import { createCiProgress } from './ci-progress.ts';

function progressOn(isTTY: boolean) {
  const written: string[] = [];
  let time = 0;
  const stream = { isTTY, columns: 80, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
  const progress = createCiProgress(stream, () => time);
  const counts = { totalScripts: 16, passed: 0, failed: 0, inconclusive: 0, cancelled: 0 };
  return {
    written,
    show: (changes: Partial<typeof counts> = {}, seconds = 0) => {
      time += seconds * 1000;
      progress.show({ ...counts, ...changes });
    },
    end: progress.end,
  };
}

test('prints the last state to a pipeline log at once, and each state once', () => {
  const { written, show, end } = progressOn(false);
  show();
  show({ passed: 3 }, 1);
  show({ passed: 13, failed: 2, inconclusive: 1 }, 1);
  end();
  end();
  expect(written).toEqual(['0 of 16 done\n', '16 of 16 done, 2 failed, 1 inconclusive\n']);
});

test('prints a line per interval, and none while nothing changes', () => {
  const { written, show, end } = progressOn(false);
  show();
  show({}, 11);
  show({ passed: 2 }, 11);
  end();
  expect(written).toEqual(['0 of 16 done\n', '2 of 16 done\n']);
});

test('draws only the bar on a terminal, and clears it at the end', () => {
  const { written, show, end } = progressOn(true);
  show({ passed: 8 });
  end();
  expect(written.at(-2)).toContain('50 % 8 of 16 done');
  expect(written.at(-1)).toBe('\r\x1b[K');
});
