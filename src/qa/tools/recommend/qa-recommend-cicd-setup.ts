import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { requireProject } from '../../owned-rows.ts';
import { ciCadences } from '../../recommend/ci-command.ts';
import { ciProviders } from '../../recommend/ci-templates.ts';
import { recommendCi } from '../../recommend/recommend-ci.ts';
import { openQaContext } from '../shared/open-qa-context.ts';

export const qaRecommendCicdSetup = defineTool({
  name: 'qa_recommend_cicd_setup',
  title: 'Set up CI/CD for the tests',
  description:
    'Set up continuous integration (CI/CD): integrate or automate the e2e tests in a build pipeline, generate a workflow file to run the suite on every pull or merge request or nightly. For GitHub Actions, GitLab, Azure DevOps, Jenkins (Jenkinsfile) or CircleCI; writes no file itself.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({
    repositoryProvider: z
      .enum(ciProviders)
      .default('github')
      .describe('Where the repository is hosted; other gives Jenkins, CircleCI and shell'),
    cadence: z.enum(ciCadences).default('onPullRequest').describe('When the pipeline runs the tests'),
    projectId: z.string().optional().describe('Id of the QA project, to be written into the files'),
  }),
  output: z.object({
    recommendations: z.array(
      z.object({
        title: z.string(),
        rationale: z.string(),
        steps: z.array(z.string()),
        template: z.object({ path: z.string(), language: z.string(), content: z.string() }),
      }),
    ),
  }),
  async run({ repositoryProvider, cadence, projectId }, context) {
    if (projectId !== undefined) await requireProject(await openQaContext(context), projectId);
    return { recommendations: recommendCi({ provider: repositoryProvider, cadence, projectId }) };
  },
});
