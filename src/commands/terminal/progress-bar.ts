import type { WriteStream } from 'node:tty';

const WIDTH = 24;
const USUAL_COLUMNS = 80;

/** Draws a progress bar in one terminal line; prints nothing without a terminal. */
export function createProgressBar(stream: Pick<WriteStream, 'isTTY' | 'write' | 'columns'>) {
  let shown = false;
  const clear = () => {
    if (shown) stream.write('\r\x1b[K');
    shown = false;
  };
  return {
    show(done: number, total?: number, message = ''): void {
      if (!stream.isTTY) return;
      // A pseudo-terminal without a size reports 0 columns.
      const columns = (stream.columns || USUAL_COLUMNS) - 1;
      const width = Math.min(WIDTH, Math.floor(columns / 4));
      const share = total ? Math.min(1, done / total) : undefined;
      const filled = Math.round((share ?? 0) * width);
      const bar =
        share === undefined
          ? String(done)
          : `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${Math.floor(share * 100)} %`;
      clear();
      stream.write(`${bar} ${fitted(message, columns - bar.length - 1)}`.slice(0, columns));
      shown = true;
    },
    clear,
  };
}

/** Takes out of the middle what has no room: how it began and what is left of it are worth more than a long address. */
function fitted(text: string, columnsLeft: number): string {
  if (text.length <= columnsLeft) return text;
  const end = Math.max(0, Math.floor(columnsLeft * 0.6));
  const start = Math.max(0, columnsLeft - end - 1);
  return `${text.slice(0, start)}…${text.slice(text.length - end)}`;
}
