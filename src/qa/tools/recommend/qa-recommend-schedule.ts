import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { measureSuite } from '../../history/suite-history.ts';
import { requireProject } from '../../owned-rows.ts';
import { recommendSchedules, scheduleFrequencies } from '../../recommend/recommend-schedules.ts';
import { openQaContext } from '../shared/open-qa-context.ts';

export const qaRecommendSchedule = defineTool({
  name: 'qa_recommend_schedule',
  title: 'Recommend a test schedule',
  description:
    'Recommend, suggest, propose or plan a schedule: when and how often (frequently) the tests or the regression should run, best time, every night (nightly), daily, once a week or on demand, as cron. Uses durations, failures and flaky tests; changes nothing.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({
    projectId: z.string().optional().describe('Id of the QA project to measure; without it, rules of thumb'),
    testFrequency: z.enum(scheduleFrequencies).optional().describe('Preferred frequency of test runs'),
    timezone: z.string().max(64).default('UTC').describe('IANA time zone of the schedule, e.g. Europe/Berlin'),
  }),
  output: z.object({
    recommendations: z.array(
      z.object({
        title: z.string(),
        rationale: z.string(),
        schedule: z.string().describe('Cron expression in the requested time zone; empty if a person starts the tests'),
        timezone: z.string(),
        nextRuns: z.array(z.string()),
        tradeoffs: z.array(z.string()),
      }),
    ),
  }),
  async run({ projectId, testFrequency, timezone }, context) {
    const qa = projectId === undefined ? undefined : await openQaContext(context);
    const project = qa && projectId !== undefined ? await requireProject(qa, projectId) : undefined;
    const suite = qa && project && (await measureSuite(qa.store, project.id));
    const seed = project?.id ?? '';
    return {
      recommendations: recommendSchedules({ suite, frequency: testFrequency, timezone, seed, now: new Date() }),
    };
  },
});
