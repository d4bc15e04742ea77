import type { AcceptanceCriterion, WorkingSpec } from '../../spec/working-spec.ts';

export const templateNames = ['extension', 'library', 'api', 'cli'] as const;
export type TemplateName = (typeof templateNames)[number];

/** The initial content of a kind of project. */
export interface ProjectTemplate {
  /** The fields of the spec that depend on the kind. */
  spec: Omit<WorkingSpec, 'id' | 'title' | 'mode'>;
  /** Invariants that hold only for a project created from the template. */
  extraInvariants?: string[];
  /** Content of the contracts in the spec, by path. */
  contracts: Record<string, string>;
  /** Code and a passing test for an empty folder. */
  starter(name: string): Record<string, string>;
}

export const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Scripts that run the tests and write the two reports that the gates read. */
export const testScripts = {
  pretest: "node -e \"for (const name of ['coverage', 'test-results']) fs.mkdirSync(name, { recursive: true })\"",
  test: [
    'node --test --experimental-test-coverage',
    '--test-reporter=spec --test-reporter-destination=stdout',
    '--test-reporter=junit --test-reporter-destination=test-results/junit.xml',
    '--test-reporter=lcov --test-reporter-destination=coverage/lcov.info',
  ].join(' '),
};

export function acceptanceCriterion(id: string, given: string, when: string, outcome: string): AcceptanceCriterion {
  // biome-ignore lint/suspicious/noThenProperty: acceptance criteria are written given, when, then
  return { id, given, when, then: outcome };
}
