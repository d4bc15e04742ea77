import type { WriteStream } from 'node:tty';
import { createProgressBar } from '../terminal/progress-bar.ts';

const BETWEEN_LINES_MS = 10_000;

interface ProgressCounts {
  totalScripts: number;
  passed: number;
  failed: number;
  inconclusive: number;
  cancelled: number;
}

/** Shows a progress bar on a terminal, and a line per interval in a pipeline log. */
export function createCiProgress(
  stream: Pick<WriteStream, 'isTTY' | 'write' | 'columns'>,
  now = () => performance.now(),
) {
  const bar = createProgressBar(stream);
  let last: { text: string; at: number } | undefined;
  let text = '';
  const writeLine = () => {
    if (stream.isTTY || text === '' || last?.text === text) return;
    last = { text, at: now() };
    stream.write(`${text}\n`);
  };
  return {
    show(counts: ProgressCounts): void {
      const { passed, failed, inconclusive, cancelled, totalScripts: total } = counts;
      const done = passed + failed + inconclusive + cancelled;
      const others = [failed > 0 && `${failed} failed`, inconclusive > 0 && `${inconclusive} inconclusive`];
      text = [`${done} of ${total} done`, ...others.filter(Boolean)].join(', ');
      bar.show(done, total, text);
      if (!last || now() - last.at >= BETWEEN_LINES_MS) writeLine();
    },
    /** Prints the last state, even within the interval. */
    end(): void {
      bar.clear();
      writeLine();
    },
  };
}
