import { renderCaseSpec } from '../scripts/export/case-spec.ts';
import { secretNamesOf, scriptSteps as stepsShape } from '../scripts/model/script-steps.ts';
import type { QaRepositories, QaTestCase, TestScript } from '../store/qa-store.ts';
import type { ProjectSecrets } from './project-secrets.ts';
import { mapStrings } from './secret-placeholders.ts';

/**
 * A value that becomes a secret may already be in texts of users and results of scans. Removes it from every row of the
 * project; addresses and locators get a placeholder with the name of the secret.
 */
export async function redactProjectRows(
  tables: QaRepositories,
  projectId: string,
  { redactor, placeholders: { hide } }: Pick<ProjectSecrets, 'redactor' | 'placeholders'>,
): Promise<void> {
  const said = <Texts>(texts: Texts) => mapStrings(texts, redactor.text);
  const of = { projectId };
  await redactRows(tables.projects, { id: projectId }, ({ name, description, testRequirements }) =>
    said({ name, description, testRequirements }),
  );
  await redactRows(tables.prdFiles, of, ({ fileName, text }) => said({ fileName, text }));
  await redactRows(tables.requirements, of, ({ ref, section, text }) => said({ ref, section, text }));
  await redactRows(tables.gaps, of, ({ text, reason }) => said({ text, reason }));
  await redactRows(tables.evidence, of, ({ notes, pageUrl }) => ({ ...said({ notes }), ...hide({ pageUrl }) }));
  await redactRows(tables.candidates, of, ({ title, description, userStory, breakdown, url, details }) => ({
    ...said({ title, description, userStory, breakdown }),
    ...hide({ url, details }),
  }));
  await redactRows(tables.useCases, of, ({ title, description, userStory, breakdown, url, details }) => ({
    ...said({ title, description, userStory, breakdown }),
    ...hide({ url, details }),
  }));
  await redactRows(tables.testCases, of, ({ title, description, goal, precondition, instructions, ...rest }) => ({
    ...said({ title, description, goal, precondition, instructions, steps: rest.steps, tags: rest.tags }),
    ...said({ expectedResult: rest.expectedResult }),
    ...hide({ data: rest.data, details: rest.details, url: rest.url }),
  }));
  const cases = new Map((await tables.testCases.list(of)).map((testCase) => [testCase.id, testCase]));
  await redactRows(tables.testScripts, of, (script) => {
    const { url, steps, details } = hide({ url: script.url, steps: script.steps, details: script.details });
    return {
      ...said({ name: script.name }),
      url,
      details,
      ...rewriteScript(script, steps, cases.get(script.testCaseId)),
    };
  });
  await redactRows(tables.runtimes, of, ({ name, payload }) => ({ ...said({ name }), ...hide({ payload }) }));
  await redactRows(tables.runs, of, ({ message, error, result, checkpoint }) =>
    said({ message, error, result, checkpoint }),
  );
  await redactRows(tables.stepResults, of, ({ description, error }) => said({ description, error }));
  await redactRows(tables.batches, of, ({ name }) => said({ name }));
  await redactRows(tables.batchItems, of, ({ error }) => said({ error }));
  await redactRows(tables.reports, of, ({ document }) => said({ document }));
  await redactRows(tables.secrets, of, ({ description }) => said({ description }));
}

/** Writes the exported file of a script again if its steps changed. */
function rewriteScript(
  { spec, steps: before, secrets }: TestScript,
  steps: TestScript['steps'],
  testCase?: QaTestCase,
) {
  const { data } = stepsShape.safeParse(steps);
  if (!data || JSON.stringify(steps) === JSON.stringify(before)) return {};
  const named = [...new Set([...secrets, ...secretNamesOf(data)])];
  return { steps, secrets: named, ...(spec !== '' && testCase && { spec: renderCaseSpec(testCase, data) }) };
}

interface RowStore<Row, Match> {
  list(match: Match): Promise<Row[]>;
  update(id: string, changes: Partial<Row>): Promise<unknown>;
}

async function redactRows<Row extends { id: string }, Match>(
  repository: RowStore<Row, Match>,
  match: Match,
  clean: (row: Row) => Partial<Row>,
): Promise<void> {
  for (const row of await repository.list(match)) {
    const changes = clean(row);
    const before = Object.fromEntries(Object.keys(changes).map((key) => [key, Reflect.get(row, key)]));
    if (JSON.stringify(changes) !== JSON.stringify(before)) await repository.update(row.id, changes);
  }
}
