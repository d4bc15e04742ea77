import * as z from 'zod';
import { policyFile } from '../spec/policy.ts';
import { defaultSpecFile, workingSpecSchema } from '../spec/working-spec.ts';
import type { DetectedProject } from './detect-project.ts';
import { renderPolicy } from './spec-text.ts';
import type { NewFile } from './write-project-files.ts';

/** The spec and the policy, which every project needs. */
export function requiredFiles(spec: string, project: Pick<DetectedProject, 'hasMutationTool'>): NewFile[] {
  return [
    { path: defaultSpecFile, content: spec },
    { path: policyFile, content: renderPolicy(project) },
  ];
}

/** Files that help people and editors. */
export function commonFiles(project: Pick<DetectedProject, 'generatedPaths' | 'python'>): NewFile[] {
  return [
    { path: '.caws/schemas/working-spec.schema.json', content: renderSpecSchema() },
    { path: '.caws/README.md', content: cawsReadme },
    { path: '.gitignore', content: renderGitignore(project), isOwnedByUser: true },
  ];
}

/** Ignores generated files, above all reports. Scope patterns start with `**`, which `.gitignore` does not need. */
function renderGitignore({ generatedPaths, python }: Pick<DetectedProject, 'generatedPaths' | 'python'>): string {
  const paths = [
    ...generatedPaths.map((path) => path.replace(/^\*\*\//, '')),
    ...['coverage/', 'test-results/', 'reports/', 'lcov.info', 'junit.xml'],
    ...(generatedPaths.includes('node_modules/') ? ['jest-results.json'] : []),
    ...(python ? ['.coverage', 'coverage.lcov', 'coverage.xml'] : []),
  ];
  return `${[...new Set(paths)].join('\n')}\n`;
}

function renderSpecSchema(): string {
  // Lenient input, such as a tier as text, has no JSON Schema and is left out.
  const schema = z.toJSONSchema(workingSpecSchema, { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const cawsReadme = `# Rules for changes

- \`working-spec.yaml\`: what the current change is, which files it may touch, and when it is done.
- \`policy.yaml\`: budgets and thresholds by risk tier, and which gates block.
- \`waivers/\`: exceptions, each with a reason, an approver and an end.
- \`provenance/\`: which commit was made under which spec; append-only.

Tests count for an acceptance criterion when its id is in their name: \`A1: prints the usage\`.

Check with \`assay call caws_validate\`, \`assay call caws_evaluate\` and \`assay call caws_status\`.
`;
