import { type Audit, standardColumns } from './audit.ts';

/** Records the title of each page, which the standard columns contain. */
export const titleAudit: Audit = {
  name: 'title_audit',
  async run(auditTarget) {
    return { rows: { title_audit: [standardColumns(auditTarget)] }, issues: 0 };
  },
};
