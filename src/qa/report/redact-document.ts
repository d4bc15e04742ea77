import type { Redactor } from '../../platform/redaction/redactor.ts';
import type { ReportDocument, ReportedTest } from './report-document.ts';

/**
 * Redacts secrets before anything is rendered or sent. Rows are redacted when they are
 * written, but a secret may be newer than they are. Only text of users and sites is redacted: a secret such as "test"
 * would otherwise remove field names and markup.
 */
export function redactDocument(document: ReportDocument, { text, texts }: Redactor): ReportDocument {
  const maybe = (value: string | null) => (value === null ? null : text(value));
  const cleanTest = (test: ReportedTest): ReportedTest => ({
    ...test,
    title: text(test.title),
    useCase: text(test.useCase),
    expected: text(test.expected),
    error: maybe(test.error),
    steps: test.steps.map((step) => ({ ...step, description: text(step.description), error: maybe(step.error) })),
    consoleErrors: texts(test.consoleErrors),
    failedRequests: texts(test.failedRequests),
  });
  const { project, requirements } = document;
  return {
    ...document,
    project: {
      id: project.id,
      name: text(project.name),
      url: maybe(project.url),
      description: maybe(project.description),
    },
    requirements: {
      ...requirements,
      gaps: requirements.gaps.map((gap) => ({ ref: maybe(gap.ref), text: text(gap.text), reason: text(gap.reason) })),
    },
    tests: document.tests.map(cleanTest),
  };
}
