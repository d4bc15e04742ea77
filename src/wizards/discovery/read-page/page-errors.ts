import type { PageReading } from '../../../platform/page/page-model.ts';
import type { DiscoverySession } from '../session/discovery-session.ts';
import { redactSecrets } from './typed-secrets.ts';

export interface PageErrorEntry {
  message: string;
  field: string;
}

/** The errors that the page shows, without secrets. */
export function listPageErrors(session: DiscoverySession, { errors }: PageReading): PageErrorEntry[] {
  const all = errors.map(({ text, control }) => ({ message: text, field: control }));
  return redactSecrets(session, all);
}
