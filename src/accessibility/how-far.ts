export interface HowFar {
  done: number;
  total?: number;
  message: string;
}

/** `[3/12] scanned https://a.example/ (axe 2) 1.5 pages/s, 0m 6s left`, as our own engine says it. */
const ours = /^\[(\d+)\/(\d+)\] (.*)$/;
/** `|██---| 25.0% p:3/12 v:0.06p/s t:0h 0m  t-:0h 5m`, as CWAC does. */
const cwac = /\bp:(\d+)\/(\d+) v:([\d.]+)p\/s t:\S+ \S+\s+t-:(\d+h \d+m)/;

/** `Number of websites to be scanned: 2`, as both say before their first page. */
const begun = /^Number of websites to be scanned: (\d+)$/;

/** How far a scan has come, by the last lines that its engine printed: pages done, found, how fast, how long to go. */
export function howFar(tail: string): HowFar {
  const lines = tail.split('\n').toReversed();
  const error = lines[0]?.startsWith('Error: ') ? lines[0] : undefined;
  for (const line of lines) {
    const [, done, total, rest] = ours.exec(line) ?? [];
    if (done !== undefined) return said(done, total, error ?? rest);
    const [, ended, found, speed, left] = cwac.exec(line) ?? [];
    if (ended !== undefined) return said(ended, found, `${speed} pages/s, ${left} left`);
    const [, sites] = begun.exec(line) ?? [];
    if (sites !== undefined) return said('0', sites, error ?? 'opening the first page');
  }
  return { done: 0, message: 'waiting for the first page' };
}

function said(done: string, total = '', rest = ''): HowFar {
  return { done: Number(done), total: Number(total), message: `${done} of ${total} found: ${rest}` };
}
