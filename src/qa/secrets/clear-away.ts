import { renderCaseSpec } from '../scripts/export/case-spec.ts';
import { secretNamesOf, scriptSteps as stepsShape } from '../scripts/model/script-steps.ts';
import type { QaRepositories, QaTestCase, TestScript } from '../store/qa-store.ts';
import { everyString } from './places.ts';
import type { ProjectSecrets } from './project-secrets.ts';

/**
 * A value that becomes a secret may stand already in what somebody wrote, or a scan saw, before. It is taken out of every row
 * of the project; where an address or a locator needs it, its name stands in its place.
 */
export async function clearAway(
  tables: QaRepositories,
  projectId: string,
  { redactor, places: { hide } }: Pick<ProjectSecrets, 'redactor' | 'places'>,
): Promise<void> {
  const said = <Texts>(texts: Texts) => everyString(texts, redactor.text);
  const of = { projectId };
  await sweep(tables.projects, { id: projectId }, ({ name, description, testRequirements }) =>
    said({ name, description, testRequirements }),
  );
  await sweep(tables.prdFiles, of, ({ fileName, text }) => said({ fileName, text }));
  await sweep(tables.requirements, of, ({ ref, section, text }) => said({ ref, section, text }));
  await sweep(tables.gaps, of, ({ text, reason }) => said({ text, reason }));
  await sweep(tables.evidence, of, ({ notes, pageUrl }) => ({ ...said({ notes }), ...hide({ pageUrl }) }));
  await sweep(tables.candidates, of, ({ title, description, userStory, breakdown, url, details }) => ({
    ...said({ title, description, userStory, breakdown }),
    ...hide({ url, details }),
  }));
  await sweep(tables.useCases, of, ({ title, description, userStory, breakdown, url, details }) => ({
    ...said({ title, description, userStory, breakdown }),
    ...hide({ url, details }),
  }));
  await sweep(tables.testCases, of, ({ title, description, goal, precondition, instructions, ...rest }) => ({
    ...said({ title, description, goal, precondition, instructions, steps: rest.steps, tags: rest.tags }),
    ...said({ expectedResult: rest.expectedResult }),
    ...hide({ data: rest.data, details: rest.details, url: rest.url }),
  }));
  const cases = new Map((await tables.testCases.list(of)).map((testCase) => [testCase.id, testCase]));
  await sweep(tables.testScripts, of, (script) => {
    const { url, steps, details } = hide({ url: script.url, steps: script.steps, details: script.details });
    return { ...said({ name: script.name }), url, details, ...rewritten(script, steps, cases.get(script.testCaseId)) };
  });
  await sweep(tables.runtimes, of, ({ name, payload }) => ({ ...said({ name }), ...hide({ payload }) }));
  await sweep(tables.runs, of, ({ message, error, result, checkpoint }) =>
    said({ message, error, result, checkpoint }),
  );
  await sweep(tables.stepResults, of, ({ description, error }) => said({ description, error }));
  await sweep(tables.batches, of, ({ name }) => said({ name }));
  await sweep(tables.batchItems, of, ({ error }) => said({ error }));
  await sweep(tables.reports, of, ({ document }) => said({ document }));
  await sweep(tables.secrets, of, ({ description }) => said({ description }));
}

/** A script whose steps now name the secret: the file that it is exported as does so too. */
function rewritten({ spec, steps: before, secrets }: TestScript, steps: TestScript['steps'], testCase?: QaTestCase) {
  const { data } = stepsShape.safeParse(steps);
  if (!data || JSON.stringify(steps) === JSON.stringify(before)) return {};
  const named = [...new Set([...secrets, ...secretNamesOf(data)])];
  return { steps, secrets: named, ...(spec !== '' && testCase && { spec: renderCaseSpec(testCase, data) }) };
}

interface Shelf<Row, Match> {
  list(match: Match): Promise<Row[]>;
  update(id: string, changes: Partial<Row>): Promise<unknown>;
}

async function sweep<Row extends { id: string }, Match>(
  shelf: Shelf<Row, Match>,
  match: Match,
  clean: (row: Row) => Partial<Row>,
): Promise<void> {
  for (const row of await shelf.list(match)) {
    const changes = clean(row);
    const before = Object.fromEntries(Object.keys(changes).map((key) => [key, Reflect.get(row, key)]));
    if (JSON.stringify(changes) !== JSON.stringify(before)) await shelf.update(row.id, changes);
  }
}
