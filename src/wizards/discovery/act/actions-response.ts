import { listPageErrors, type PageErrorEntry } from '../read-page/page-errors.ts';
import { capturePageView, describeBrowserEvents, type PageView } from '../read-page/page-view.ts';
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

/** Runs the actions, then captures the page once. */
export async function runActionsForResponse(
  session: DiscoverySession,
  actions: readonly DiscoveryAction[],
  { signal, checkPath, attachScreenshot }: DiscoveryContext,
): Promise<ActionsResponse> {
  const { failed, before, after } = await runActions(session, actions, { signal, checkPath });
  const done = actions.length - failed.length;
  const led = pageKeyOf(after) === pageKeyOf(before) ? 'The page is still the same.' : 'They led to another page.';
  const happened = redactSecrets(session, describeBrowserEvents(session.watch.take()));
  return {
    success: failed.length === 0,
    completed_count: done,
    total_actions: actions.length,
    failed_actions: redactSecrets(session, failed),
    errors: listPageErrors(session, after),
    ...(await capturePageView(session, attachScreenshot)),
    message: `${done} of ${actions.length} actions succeeded. ${led}${happened}`,
  };
}
