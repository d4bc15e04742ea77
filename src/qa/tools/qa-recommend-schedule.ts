import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { ownProject } from '../access.ts';
import { measureSuite } from '../history/suite.ts';
import { frequencies, recommendSchedules } from '../recommend/schedule.ts';
import { qaRoom } from './room.ts';

export const qaRecommendSchedule = defineTool({
  name: 'qa_recommend_schedule',
  title: 'Recommend when to run tests',
  description:
    'Test schedules as cron, computed from a project’s real run times, failures, flaky tests and changes, with trade-offs. Changes nothing.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({
    projectId: z.string().optional().describe('Without it: rules of thumb'),
    testFrequency: z.enum(frequencies).optional().describe('What you have in mind'),
    timezone: z.string().max(64).default('UTC').describe('IANA name, such as Europe/Berlin'),
  }),
  output: z.object({
    recommendations: z.array(
      z.object({
        title: z.string(),
        rationale: z.string(),
        schedule: z.string().describe('Cron in the time zone; empty: started by hand'),
        timezone: z.string(),
        nextRuns: z.array(z.string()),
        tradeoffs: z.array(z.string()),
      }),
    ),
  }),
  async run({ projectId, testFrequency, timezone }, context) {
    const room = projectId === undefined ? undefined : await qaRoom(context);
    const project = room && projectId !== undefined ? await ownProject(room, projectId) : undefined;
    const suite = room && project && (await measureSuite(room.store, project.id));
    const seed = project?.id ?? '';
    return {
      recommendations: recommendSchedules({ suite, frequency: testFrequency, timezone, seed, now: new Date() }),
    };
  },
});
