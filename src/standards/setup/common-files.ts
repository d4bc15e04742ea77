import * as z from 'zod';
import { policyFile } from '../spec/policy.ts';
import { defaultSpecFile, workingSpecSchema } from '../spec/working-spec.ts';
import type { ProjectFacts } from './project-facts.ts';
import { policyText } from './spec-text.ts';
import type { NewFile } from './write-files.ts';

/** Without these there is nothing to be held to. */
export function essentials(spec: string, facts: Pick<ProjectFacts, 'mutates'>): NewFile[] {
  return [
    { path: defaultSpecFile, content: spec },
    { path: policyFile, content: policyText(facts) },
  ];
}

/** What helps people and editors. */
export function commonFiles(facts: Pick<ProjectFacts, 'leftBehind' | 'python'>): NewFile[] {
  return [
    { path: '.caws/schemas/working-spec.schema.json', content: specSchema() },
    { path: '.caws/README.md', content: guide },
    { path: '.gitignore', content: ignored(facts), isOwners: true },
  ];
}

/** What tools write, reports above all, which are evidence and no work: `**` is the language of scopes, not of git. */
function ignored({ leftBehind, python }: Pick<ProjectFacts, 'leftBehind' | 'python'>): string {
  const paths = [
    ...leftBehind.map((path) => path.replace(/^\*\*\//, '')),
    ...['coverage/', 'test-results/', 'reports/', 'lcov.info', 'junit.xml'],
    ...(leftBehind.includes('node_modules/') ? ['jest-results.json'] : []),
    ...(python ? ['.coverage', 'coverage.lcov', 'coverage.xml'] : []),
  ];
  return `${[...new Set(paths)].join('\n')}\n`;
}

function specSchema(): string {
  // What is read leniently (a tier written as text, say) has no schema, and an editor need not know of it.
  const schema = z.toJSONSchema(workingSpecSchema, { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const guide = `# What a change is held to

- \`working-spec.yaml\`: what the change at hand is, what it may touch, and when it is done.
- \`policy.yaml\`: budgets and thresholds by risk tier, and which gates block.
- \`waivers/\`: exceptions, each with a reason, an approver and an end.
- \`provenance/\`: which commit was made under which spec; lines are only ever added.

Tests count for an acceptance criterion when its id stands in their name: \`A1: prints the usage\`.

Check with \`assay call caws_validate\`, \`assay call caws_evaluate\` and \`assay call caws_status\`.
`;
