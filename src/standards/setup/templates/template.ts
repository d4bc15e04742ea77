import type { AcceptanceCriterion, WorkingSpec } from '../../spec/working-spec.ts';

export const templateNames = ['extension', 'library', 'api', 'cli'] as const;
export type TemplateName = (typeof templateNames)[number];

/** What a kind of project begins with. */
export interface ProjectTemplate {
  /** Everything of a spec that the kind decides. */
  spec: Omit<WorkingSpec, 'id' | 'title' | 'mode'>;
  /** What only a project that begins so can promise. */
  extraInvariants?: string[];
  /** The contracts that the spec names, by path. */
  contracts: Record<string, string>;
  /** Code and a test that run as they are, for a folder that holds no project yet. */
  starter(name: string): Record<string, string>;
}

export const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Runs the tests and leaves the two reports that the gates read. */
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
