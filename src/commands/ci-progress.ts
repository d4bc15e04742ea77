import type { WriteStream } from 'node:tty';
import { progressBar } from './progress-bar.ts';

const BETWEEN_LINES_MS = 10_000;

/** A bar where somebody watches; in the log of a pipeline now and then a line, so that it does not look dead. */
export function ciProgress(stream: Pick<WriteStream, 'isTTY' | 'write' | 'columns'>, now = () => performance.now()) {
  const bar = progressBar(stream);
  let last: { text: string; at: number } | undefined;
  return {
    show(done: number, total: number, failed: number): void {
      const text = `${done} of ${total} done${failed > 0 ? `, ${failed} failed` : ''}`;
      bar.show(done, total, text);
      if (stream.isTTY || last?.text === text || (last && now() - last.at < BETWEEN_LINES_MS)) return;
      last = { text, at: now() };
      stream.write(`${text}\n`);
    },
    end: bar.clear,
  };
}
