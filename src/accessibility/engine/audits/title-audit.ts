import { type Audit, standardColumns } from './audit.ts';

/** The title of each page; the first eight columns hold it. */
export const titleAudit: Audit = {
  name: 'title_audit',
  async run(auditTarget) {
    return { rows: { title_audit: [standardColumns(auditTarget)] }, issues: 0 };
  },
};
