/**
 * `npm run bench -- bulk [--scripts 1000] [--workers 2]`: a bulk of a thousand small scripts on a page that answers at once.
 * Its counts are looked at until its end, and must add up each time. Some minutes on two cores.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGuestBook } from '../../test/sites/guest-book.ts';
import type { Result } from '../../test/support/assay.ts';
import { addScripts, welcome } from '../../test/support/qa.ts';
import { openBench } from '../qa/suite.ts';
import { printTable } from '../table.ts';

const { values } = parseArgs({
  options: { scripts: { type: 'string', default: '1000' }, workers: { type: 'string', default: '2' } },
});
const total = Number(values.scripts);

await using bench = await openBench();
await using site = await startGuestBook();
const { projectId } = await bench.call('qa_project_create', { projectName: 'Thousand', url: site.url });
const scripts = Array.from({ length: total }, (_, i) => welcome(`Welcome ${i}`));
await addScripts(bench.env['ASSAY_HOME'] ?? '', projectId, site.url, scripts);

const from = performance.now();
const started = await bench.call('qa_workflow_start_test_script_replay_bulk', {
  projectId,
  workers: Number(values.workers),
});
const answered = performance.now() - from;
let looks = 0;
let seen: Result;
do {
  await pause(500);
  seen = await bench.call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId: started.runBatchId });
  const { passed, failed, inconclusive, cancelled, running, pending } = seen;
  if (passed + failed + inconclusive + cancelled + running + pending !== total)
    throw new Error(`does not add up: ${looks}`);
  looks++;
} while (seen.status === 'queued' || seen.status === 'running');
const seconds = (performance.now() - from) / 1000;

printTable(
  `A bulk of ${total}, ${values.workers} workers`,
  ['status', 'passed', 'flaky', 'failed', 'looks that added up', 'start answered in', 'seconds', 'a second'],
  [
    [
      seen.status,
      `${seen.passed}`,
      `${seen.flaky}`,
      `${seen.failed}`,
      `${looks}`,
      `${answered.toFixed(0)} ms`,
      seconds.toFixed(1),
      (total / seconds).toFixed(1),
    ],
  ],
  `${site.requests.filter((request) => request === 'GET /').length} pages were asked for`,
);
