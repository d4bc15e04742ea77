import { expect, test } from 'vitest';
import { findErrorLines } from '../../bench/soak/log-errors.ts';

test('counts every error in the log of a server as a defect, except those of the machine', () => {
  const entry = (level: string, msg: string, more = {}) => JSON.stringify({ level, msg, ...more });
  const defects = [
    entry('error', 'unhandled error in tool', { errorId: 'x' }),
    entry('error', 'unhandled error in job', { job: 'j', kind: 'qa.scan' }),
    entry('error', 'unhandled rejection'),
    entry('error', 'heartbeat failed'),
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    '(node:4711) MaxListenersExceededWarning: Possible EventTarget memory leak detected.',
  ];
  const others = [
    entry('error', 'system error in tool'),
    entry('warn', 'job is tried again'),
    'Assay listens at http://127.0.0.1:1/mcp',
    '(node:4711) ExperimentalWarning: SQLite is an experimental feature',
    '',
  ];
  expect(findErrorLines([...defects, ...others].join('\n'))).toEqual(defects);
});
