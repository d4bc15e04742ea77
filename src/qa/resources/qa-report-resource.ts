import { Failure } from '../../platform/errors.ts';
import type { Resource } from '../../tool/tool.ts';
import { findReport } from '../report/reports.ts';
import { openQaContext } from '../tools/shared/open-qa-context.ts';

export const qaReportResource: Resource = {
  name: 'qa-report',
  title: 'QA report',
  description: 'Status of a final test report, with links to its files and the result of each delivery.',
  uriTemplate: 'qa://reports/{reportId}',
  mimeType: 'application/json',
  scope: 'qa:read',
  complete: {},
  async list(context) {
    const { store, owner } = await openQaContext(context);
    const reports = await store.reports.list({ owner }, { newestFirst: true, limit: 50 });
    return reports.map(({ id, createdAt, format }) => ({
      uri: `qa://reports/${id}`,
      name: id,
      description: `${format} report of ${new Date(createdAt).toISOString()}`,
    }));
  },
  async read({ reportId = '' }, context) {
    try {
      return JSON.stringify(await findReport(await openQaContext(context), reportId));
    } catch (error) {
      if (error instanceof Failure && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN')) return undefined;
      throw error;
    }
  },
};
