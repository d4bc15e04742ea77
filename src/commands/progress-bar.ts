import type { WriteStream } from 'node:tty';

const WIDTH = 24;

/** One line on a terminal that moves; nothing at all where nobody is watching. */
export function progressBar(stream: Pick<WriteStream, 'isTTY' | 'write' | 'columns'>) {
  let shown = false;
  const clear = () => {
    if (shown) stream.write('\r\x1b[K');
    shown = false;
  };
  return {
    show(done: number, total?: number, message = ''): void {
      if (!stream.isTTY) return;
      const share = total ? Math.min(1, done / total) : undefined;
      const filled = Math.round((share ?? 0) * WIDTH);
      const bar =
        share === undefined
          ? String(done)
          : `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.floor(share * 100)} %`;
      clear();
      stream.write(`${bar} ${message}`.slice(0, stream.columns - 1));
      shown = true;
    },
    clear,
  };
}
