import { type Action, doActions, type FailedAction } from './actions.ts';
import { errorsOn, fitErrors, fitFailedActions, leftOut, type ShownError } from './fit-answer.ts';
import { withoutSecrets } from './secrets.ts';
import { placeOf, type Session } from './session.ts';
import type { DiscoveryRoom } from './start.ts';
import { told, type View, viewOf } from './view.ts';

export interface ActionsAnswer extends View {
  success: boolean;
  completed_count: number;
  total_actions: number;
  failed_actions: FailedAction[];
  errors: ShownError[];
  message: string;
}

/**
 * Does the actions, then looks once at what became of the page. Lists that would make the answer longer than 40 kB are cut, and
 * the message says so.
 */
export async function actionsAnswer(
  session: Session,
  actions: readonly Action[],
  { signal, checkPath, show }: DiscoveryRoom,
): Promise<ActionsAnswer> {
  const { failed, before, after } = await doActions(session, actions, { signal, checkPath });
  const done = actions.length - failed.length;
  const led = placeOf(after) === placeOf(before) ? 'The page is still the same.' : 'They led to another page.';
  const allFailed = withoutSecrets(session, failed);
  const allErrors = errorsOn(session, after);
  const [failedActions, errors] = [fitFailedActions(allFailed), fitErrors(allErrors)];
  const remarks = [
    ...leftOut('failed actions', failedActions, allFailed, 'send fewer actions in one call to see the others'),
    ...leftOut('errors', errors, allErrors, 'federalscout_get_page_info with full: true returns all of them'),
  ];
  const happened = withoutSecrets(session, told(session.watch.take()));
  return {
    success: failed.length === 0,
    completed_count: done,
    total_actions: actions.length,
    failed_actions: failedActions,
    errors,
    ...(await viewOf(session, show)),
    message: `${[`${done} of ${actions.length} actions were done.`, led, ...remarks].join(' ')}${happened}`,
  };
}
