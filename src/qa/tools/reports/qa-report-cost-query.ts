import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { configuredPrices } from '../../costs/prices.ts';
import { costFilterTypes, queryCosts } from '../../costs/query-costs.ts';
import { openQaContext } from '../shared/open-qa-context.ts';

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
  title: 'Cost and usage of test runs',
  description:
    'Cost of testing: how expensive the test runs are, how much money was spent (bill), and usage such as browser time (minutes), pages and steps, per day, week, month, use case or script.',
  effect: 'read',
  scope: 'qa:read',
  longReply: { offset: true, lists: { byItem: { leftOut: 'itemsLeftOut' } } },
  input: z.object({
    projectId: z.string().min(1).describe('QA project id, from qa_project_list'),
    startDateKey: z.string().optional().describe('First day, YYYYMMDD, e.g. 20270101; default: no limit'),
    endDateKey: z.string().optional().describe('Last day, YYYYMMDD, included; default: no limit'),
    timezone: z.string().max(64).default('UTC').describe('IANA time zone of the days, e.g. Europe/Berlin'),
    filterType: z.enum(costFilterTypes).default('project').describe('Kind of the items in byItem and filterIds'),
    filterIds: z.array(z.string()).max(1000).optional().describe('Only costs of these ids, of kind filterType'),
  }),
  output: z.object({
    projectId: z.string(),
    startDateKey: z.string().optional(),
    endDateKey: z.string().optional(),
    timezone: z.string(),
    currency: z.string(),
    total: z.object(used),
    byDay: groups('Day as YYYYMMDD, e.g. 20270101'),
    byKind: groups('Kind of run'),
    byItem: groups('Id of the item, of kind filterType'),
    itemsLeftOut: z.number(),
  }),
  async run({ startDateKey, endDateKey, ...query }, context) {
    const prices = configuredPrices(context.setting);
    const days = {
      ...(startDateKey !== undefined && { startDateKey }),
      ...(endDateKey !== undefined && { endDateKey }),
    };
    const found = await queryCosts(await openQaContext(context), { ...query, ...days }, prices);
    return { projectId: query.projectId, ...days, timezone: query.timezone, currency: prices.currency, ...found };
  },
});
