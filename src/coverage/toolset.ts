import { defineToolset } from '../mcp/tool.ts';
import { checkCoverageOfChange } from './prompts/check-coverage-of-change.ts';
import { snapshotResource } from './resources/snapshot.ts';
import { endCoverageSnapshot } from './tools/end-coverage-snapshot.ts';
import { getFileCoverage } from './tools/get-file-coverage.ts';
import { getOverallCoverage } from './tools/get-overall-coverage.ts';
import { getPatchCoverage } from './tools/get-patch-coverage.ts';
import { getUncoveredLines } from './tools/get-uncovered-lines.ts';
import { startCoverageSnapshot } from './tools/start-coverage-snapshot.ts';

export const coverage = defineToolset({
  name: 'coverage',
  title: 'Coverage',
  summary:
    'What do the tests cover, and what did this change do to it? Reads LCOV reports: totals, single files, uncovered lines, the lines of a change, and snapshots to compare before and after.',
  tools: [
    getOverallCoverage,
    getFileCoverage,
    startCoverageSnapshot,
    endCoverageSnapshot,
    getUncoveredLines,
    getPatchCoverage,
  ],
  prompts: [checkCoverageOfChange],
  resources: [snapshotResource],
  presentError: ({ message }) => ({ text: `Error: ${message}` }),
});
