import { defineTools, presentPlainError } from '../tool/tool.ts';
import { checkCoverageOfChange } from './prompts/check-coverage-of-change.ts';
import { snapshotResource } from './resources/coverage-snapshot.ts';
import { endCoverageSnapshot } from './tools/end-coverage-snapshot.ts';
import { getFileCoverage } from './tools/get-file-coverage.ts';
import { getOverallCoverage } from './tools/get-overall-coverage.ts';
import { getPatchCoverage } from './tools/get-patch-coverage.ts';
import { getUncoveredLines } from './tools/get-uncovered-lines.ts';
import { startCoverageSnapshot } from './tools/start-coverage-snapshot.ts';

/** By the codes whose texts the specification defines, and those of git. */
const nextSteps = {
  LCOV_NOT_FOUND:
    'Run the tests with an LCOV report, then pass its path. A relative path starts at the working directory of the server.',
  LCOV_UNREADABLE: 'Pass the path of an LCOV file that this server can read.',
  LCOV_PARSE: 'Run the tests again with an LCOV report (lcov.info), and pass that file.',
  SNAPSHOT_NOT_FOUND: 'Call start_coverage_snapshot, and pass the snapshotId that it returns. Snapshots expire.',
  SNAPSHOT_STORAGE: 'Make the folder writable, or set ASSAY_HOME to another one.',
  SNAPSHOT_TOO_LARGE: 'Pass the report of a part of the project to start_coverage_snapshot.',
  GIT_UNKNOWN_BASE: 'Pass a branch, tag or commit as base, or fetch it first.',
  GIT_NO_MERGE_BASE: 'Pass a base that shares history with HEAD, or fetch the history first.',
  GIT_MISSING: 'Install git, or put it on the PATH of the server. assay doctor checks it.',
  GIT_FAILED: 'Correct what git reports, then call the tool again.',
};

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
  presentError: (failure) => presentPlainError(failure, nextSteps),
});
