export interface ScanProgress {
  done: number;
  total?: number;
  message: string;
}

/** Native engine: `[3/12] scanned https://a.example/ (axe 2) 1.5 pages/s, 0m 6s left`. */
const nativeProgressLine = /^\[(\d+)\/(\d+)\] (.*)$/;
/** CWAC: `|██---| 25.0% p:3/12 v:0.06p/s t:0h 0m  t-:0h 5m`. */
const cwacProgressLine = /\bp:(\d+)\/(\d+) v:([\d.]+)p\/s t:\S+ \S+\s+t-:(\d+h \d+m)/;

/** Both engines, before the first page: `Number of websites to be scanned: 2`. */
const startLine = /^Number of websites to be scanned: (\d+)$/;

/** Reads the progress of a scan from the last lines of its engine's output: pages done, pages found, speed and remaining time. */
export function parseProgressOutput(tail: string): ScanProgress {
  const lines = tail.split('\n').toReversed();
  const error = lines[0]?.startsWith('Error: ') ? lines[0] : undefined;
  for (const line of lines) {
    const [, done, total, rest] = nativeProgressLine.exec(line) ?? [];
    if (done !== undefined) return toProgress(done, total, error ?? rest);
    const [, ended, found, speed, left] = cwacProgressLine.exec(line) ?? [];
    if (ended !== undefined) return toProgress(ended, found, `${speed} pages/s, ${left} left`);
    const [, sites] = startLine.exec(line) ?? [];
    if (sites !== undefined) return toProgress('0', sites, error ?? 'opening the first page');
  }
  return { done: 0, message: 'waiting for the first page' };
}

function toProgress(done: string, total = '', rest = ''): ScanProgress {
  return { done: Number(done), total: Number(total), message: `${done} of ${total} found: ${rest}` };
}
