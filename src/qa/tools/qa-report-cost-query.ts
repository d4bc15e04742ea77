import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { pricesConfigured } from '../costs/prices.ts';
import { filterTypes, queryCosts } from '../costs/query.ts';
import { qaRoom } from './room.ts';

const used = {
  runs: z.number(),
  browserSeconds: z.number(),
  pages: z.number(),
  steps: z.number(),
  screenshots: z.number(),
  bytes: z.number(),
  cost: z.number(),
};
const groups = (what: string) => z.array(z.object({ key: z.string().describe(what), ...used }));

export const qaReportCostQuery = defineTool({
  name: 'qa_report_cost_query',
  title: 'Usage and cost of a QA project',
  description:
    'What a QA project’s runs used and cost between two days: browser seconds, pages, steps, screenshots, bytes, by day, kind and item.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({
    projectId: z.string().min(1).describe('From qa_project_create'),
    startDateKey: z.string().optional().describe('First day, YYYYMMDD'),
    endDateKey: z.string().optional().describe('Last day, included'),
    timezone: z.string().max(64).default('UTC').describe('Of the days, such as Europe/Berlin'),
    filterType: z.enum(filterTypes).default('project').describe('What byItem counts for'),
    filterIds: z.array(z.string()).max(1000).optional().describe('Only these'),
  }),
  output: z.object({
    projectId: z.string(),
    startDateKey: z.string().optional(),
    endDateKey: z.string().optional(),
    timezone: z.string(),
    currency: z.string(),
    total: z.object(used),
    byDay: groups('YYYYMMDD'),
    byKind: groups('Kind of run'),
    byItem: groups('Id, by filterType'),
    itemsLeftOut: z.number(),
  }),
  async run({ startDateKey, endDateKey, ...query }, context) {
    const prices = pricesConfigured();
    const days = {
      ...(startDateKey !== undefined && { startDateKey }),
      ...(endDateKey !== undefined && { endDateKey }),
    };
    const found = await queryCosts(await qaRoom(context), { ...query, ...days }, prices);
    return { projectId: query.projectId, ...days, timezone: query.timezone, currency: prices.currency, ...found };
  },
});
