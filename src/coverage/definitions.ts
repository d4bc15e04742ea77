import { defineTools } from '../tool/tool.ts';
import { checkCoverageOfChange } from './prompts/check-coverage-of-change.ts';
import { snapshotResource } from './resources/coverage-snapshot.ts';
import { endCoverageSnapshot } from './tools/end-coverage-snapshot.ts';
import { getFileCoverage } from './tools/get-file-coverage.ts';
import { getOverallCoverage } from './tools/get-overall-coverage.ts';
import { getPatchCoverage } from './tools/get-patch-coverage.ts';
import { getUncoveredLines } from './tools/get-uncovered-lines.ts';
import { startCoverageSnapshot } from './tools/start-coverage-snapshot.ts';

export const coverageDefinitions = defineTools({
  name: 'coverage',
  title: 'Coverage',
  summary:
    'Measures how well code is tested, from LCOV reports. Start with get_patch_coverage for a pull request or diff, get_overall_coverage for the whole project, and get_uncovered_lines to find untested lines.',
  questions: [
    { question: 'Are the lines of my pull request or diff tested?', tool: 'get_patch_coverage' },
    { question: 'How much of the project is tested?', tool: 'get_overall_coverage' },
  ],
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
