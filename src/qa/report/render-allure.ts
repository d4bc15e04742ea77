import { createHash, randomUUID } from 'node:crypto';
import type { ReportDocument, ReportedTest } from './report-document.ts';

const allureStatuses: Record<ReportedTest['verdict'], string> = {
  passed: 'passed',
  flaky: 'passed',
  failed: 'failed',
  inconclusive: 'broken',
  not_run: 'skipped',
  no_script: 'skipped',
};

/** Picture files by artifact id. */
type Attachments = ReadonlyMap<string, { name: string; contentType: string }>;

/** Renders Allure results: one JSON file per test. Pictures are separate files. */
export function renderQaAllure(
  { project, tests, generatedAt }: ReportDocument,
  pictures: Attachments = new Map(),
): { name: string; content: string }[] {
  return tests.map((test) => {
    const uuid = randomUUID();
    const stop = Date.parse(test.runAt ?? generatedAt);
    const start = stop - (test.durationMs ?? 0);
    const result = {
      uuid,
      historyId: createHash('md5').update(`${project.id} ${test.testCaseId}`).digest('hex'),
      name: test.title,
      fullName: `${test.useCase}: ${test.title}`,
      status: allureStatuses[test.verdict],
      stage: 'finished',
      ...(test.runAt !== null && { start, stop }),
      description: test.expected,
      statusDetails: {
        flaky: test.verdict === 'flaky',
        ...(test.error !== null && { message: test.error, trace: test.failureClass ?? '' }),
      },
      labels: [
        { name: 'framework', value: 'assay' },
        { name: 'suite', value: test.useCase },
        {
          name: 'severity',
          value: test.priority === 'HIGH' ? 'critical' : test.priority === 'LOW' ? 'minor' : 'normal',
        },
        { name: 'tag', value: test.category },
        { name: 'tag', value: test.oracle },
        ...(test.healed > 0 ? [{ name: 'tag', value: 'healed' }] : []),
      ],
      steps: renderSteps(test, start, pictures),
    };
    return { name: `${uuid}-result.json`, content: JSON.stringify(result) };
  });
}

function renderSteps({ steps }: ReportedTest, start: number, pictures: Attachments) {
  let at = start;
  return steps.map(({ description, status, error, durationMs, picture: id }) => {
    const picture = pictures.get(id ?? '');
    const step = {
      name: description,
      status,
      stage: 'finished',
      start: at,
      stop: at + durationMs,
      ...(error !== null && { statusDetails: { message: error } }),
      ...(picture && { attachments: [{ name: 'Screenshot', source: picture.name, type: picture.contentType }] }),
    };
    at += durationMs;
    return step;
  });
}
