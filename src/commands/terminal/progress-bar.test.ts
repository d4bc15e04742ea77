import { expect, it } from 'vitest';
import { createProgressBar } from './progress-bar.ts';

const message = 'scanned http://127.0.0.1:8436/a/rather/long/address.html (axe 3, html 1) 1.4 pages/s, 0m 13s left';

function shown(columns: number): string {
  const written: string[] = [];
  createProgressBar({
    isTTY: true,
    columns,
    write: (text: string | Uint8Array) => written.push(String(text)) > 0,
  }).show(3, 12, message);
  return written.join('');
}

it.each([200, 80, 60])('shows progress and message at %i columns', (columns) => {
  const line = shown(columns);
  expect(line.length).toBeLessThan(columns);
  expect(line).toMatch(/^█+░+ 25 % scanned/);
  expect(line).toMatch(/0m 13s left$/);
});

it('never wraps the line, and assumes 80 columns without a terminal size', () => {
  expect(shown(10).length).toBeLessThan(10);
  expect(shown(0)).toBe(shown(80));
});
