import type { Redactor } from '../../platform/redaction/redactor.ts';
import type { ReportDocument, ReportedTest } from './report-document.ts';

/**
 * The document without a value of a secret, before anything is rendered of it or sent. Rows are cleaned when they are
 * written, but a secret may be younger than they are. Only text of people and sites is touched: a secret such as "test"
 * would otherwise take the names of fields, and the tags of the rendered files, with it.
 */
export function redactDocument(document: ReportDocument, { text, texts }: Redactor): ReportDocument {
  const maybe = (given: string | null) => (given === null ? null : text(given));
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
