import { expect } from 'vitest';
import type { callOn, Result } from '../assay.ts';
import { eventually } from '../eventually.ts';
import { addResults, type KnownTest } from './qa-results.ts';

export const SECRET = 'correct-horse-battery';

/** One test of each kind. The text of one is a secret that is created later. */
export const oneOfEach: KnownTest[] = [
  { title: 'Pay by card', verdicts: ['passed', 'flaky', 'passed'] },
  {
    title: `Pay with ${SECRET}`,
    verdicts: ['passed', 'failed'],
    failureClass: 'product defect',
    error: `The page said "${SECRET}" <script>alert(1)</script>`,
  },
  { title: 'Pay by invoice', verdicts: ['flaky'], error: 'Not seen at first' },
  { title: 'Pay later', verdicts: ['passed'], healed: 1 },
  { title: 'Pay never', verdicts: [] },
];

export interface Reporting {
  newProject(known?: readonly KnownTest[]): Promise<string>;
  /** The state of the project's newest report when it has ended. */
  reportOf(projectId: string, options?: Record<string, unknown>): Promise<Result>;
}

/** Projects with results, and their reports. */
export function reportingOn(call: ReturnType<typeof callOn>, home: string): Reporting {
  return {
    async newProject(known = oneOfEach) {
      const shop = { projectName: 'Corner shop', url: 'http://shop.example/' };
      const { projectId } = await call('qa_project_create', shop);
      await addResults(home, projectId, known);
      return projectId;
    },
    async reportOf(projectId, options = {}) {
      const { reportId } = await call('qa_report_final_generate', { projectId, ...options });
      return eventually(async () => {
        const { latestReport } = await call('qa_report_stats_summary_get', { projectId });
        expect(latestReport.reportId).toBe(reportId);
        expect(latestReport.status).toMatch(/succeeded|failed|cancelled/);
        return latestReport;
      });
    },
  };
}
