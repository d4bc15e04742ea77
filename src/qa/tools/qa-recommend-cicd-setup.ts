import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { ownProject } from '../access.ts';
import { cadences } from '../recommend/ci-command.ts';
import { recommendCi } from '../recommend/ci-setup.ts';
import { providers } from '../recommend/ci-templates.ts';
import { qaRoom } from './room.ts';

export const qaRecommendCicdSetup = defineTool({
  name: 'qa_recommend_cicd_setup',
  title: 'Recommend a CI set-up',
  description:
    'CI/CD files that run a QA project’s tests: GitHub Actions, Azure DevOps, GitLab CI, or Jenkins, CircleCI and shell, with the steps to set them up. Changes nothing.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({
    repositoryProvider: z.enum(providers).default('github').describe('other: Jenkins, CircleCI, shell'),
    cadence: z.enum(cadences).default('onPullRequest').describe('When it runs'),
    projectId: z.string().optional().describe('Stands in the files then'),
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
    if (projectId !== undefined) await ownProject(await qaRoom(context), projectId);
    return { recommendations: recommendCi({ provider: repositoryProvider, cadence, projectId }) };
  },
});
