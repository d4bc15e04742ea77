import { capturePageView, describeBrowserEvents, type PageView } from '../read-page/page-view.ts';
import {
  describeOmission,
  fitErrors,
  fitFailedActions,
  listPageErrors,
  type PageErrorEntry,
} from '../read-page/response-limits.ts';
import { redactSecrets } from '../read-page/typed-secrets.ts';
import { type DiscoverySession, pageKeyOf } from '../session/discovery-session.ts';
import type { DiscoveryContext } from '../session/start-discovery.ts';
import { type DiscoveryAction, type FailedAction, runActions } from './run-actions.ts';

export interface ActionsResponse extends PageView {
  success: boolean;
  completed_count: number;
  total_actions: number;
  failed_actions: FailedAction[];
  errors: PageErrorEntry[];
  message: string;
}

/**
 * Runs the actions, then captures the page once. Lists that would make the response longer than 40 kB are cut, and the message
 * says so.
 */
export async function runActionsForResponse(
  session: DiscoverySession,
  actions: readonly DiscoveryAction[],
  { signal, checkPath, attachScreenshot }: DiscoveryContext,
): Promise<ActionsResponse> {
  const { failed, before, after } = await runActions(session, actions, { signal, checkPath });
  const done = actions.length - failed.length;
  const led = pageKeyOf(after) === pageKeyOf(before) ? 'The page is still the same.' : 'They led to another page.';
  const allFailed = redactSecrets(session, failed);
  const allErrors = listPageErrors(session, after);
  const [failedActions, errors] = [fitFailedActions(allFailed), fitErrors(allErrors)];
  const remarks = [
    ...describeOmission('failed actions', failedActions, allFailed, 'send fewer actions in one call to see the others'),
    ...describeOmission('errors', errors, allErrors, 'federalscout_get_page_info with full: true returns all of them'),
  ];
  const happened = redactSecrets(session, describeBrowserEvents(session.watch.take()));
  return {
    success: failed.length === 0,
    completed_count: done,
    total_actions: actions.length,
    failed_actions: failedActions,
    errors,
    ...(await capturePageView(session, attachScreenshot)),
    message: `${[`${done} of ${actions.length} actions succeeded.`, led, ...remarks].join(' ')}${happened}`,
  };
}
