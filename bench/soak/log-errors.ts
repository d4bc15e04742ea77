/** Messages of errors of the machine that a fuzzed argument causes, such as a path below a device; the caller gets them by name. */
const expected = new Set(['system error in tool']);
/** Output of Node.js itself: an abort, an uncaught error, or a warning such as that about too many listeners. */
const fromNode = /^(FATAL ERROR|#|node:internal|Uncaught|\(node:\d+\) (?!ExperimentalWarning))/;

/**
 * Returns the lines of a server's log that report a defect: every line of level error (tools, requests, jobs, heartbeats,
 * unhandled rejections, uncaught exceptions), and what Node.js prints itself.
 */
export function findErrorLines(log: string): string[] {
  return log.split('\n').filter((line) => {
    const entry = parseEntry(line);
    return entry ? /^(error|fatal)$/.test(entry.level) && !expected.has(entry.msg) : fromNode.test(line);
  });
}

function parseEntry(line: string): { level: string; msg: string } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { level = '', msg = '' } = JSON.parse(line);
    return { level: String(level), msg: String(msg) };
  } catch {
    return undefined;
  }
}
