/**
 * `npm run bench -- bulk [--scripts 1000] [--workers 2]`: a bulk replay of a thousand small scripts on a fast page. Its counts
 * are polled until the end and must add up each time. Takes some minutes on two cores.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGuestBook } from '../../test/sites/guest-book.ts';
import type { Result } from '../../test/support/assay.ts';
import { addScripts, welcome } from '../../test/support/qa/qa.ts';
import { openBench } from '../qa/qa-suite.ts';
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
let polls = 0;
let seen: Result;
do {
  await pause(500);
  seen = await bench.call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId: started.runBatchId });
  const { passed, failed, inconclusive, cancelled, running, pending } = seen;
  if (passed + failed + inconclusive + cancelled + running + pending !== total)
    throw new Error(`the counts of poll ${polls} do not add up to ${total}`);
  polls++;
} while (seen.status === 'queued' || seen.status === 'running');
const seconds = (performance.now() - from) / 1000;

printTable(
  `Bulk replay of ${total} scripts, ${values.workers} workers`,
  ['status', 'passed', 'flaky', 'failed', 'consistent polls', 'start call', 'seconds', 'scripts/s'],
  [
    [
      seen.status,
      `${seen.passed}`,
      `${seen.flaky}`,
      `${seen.failed}`,
      `${polls}`,
      `${answered.toFixed(0)} ms`,
      seconds.toFixed(1),
      (total / seconds).toFixed(1),
    ],
  ],
  `${site.requests.filter((request) => request === 'GET /').length} page requests`,
);
