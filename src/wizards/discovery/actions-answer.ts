import { type Action, doActions, type FailedAction } from './actions.ts';
import { withoutSecrets } from './secrets.ts';
import { placeOf, type Session } from './session.ts';
import type { DiscoveryRoom } from './start.ts';
import { told, type View, viewOf } from './view.ts';

export interface ActionsAnswer extends View {
  success: boolean;
  completed_count: number;
  total_actions: number;
  failed_actions: FailedAction[];
  errors: { message: string; field: string }[];
  message: string;
}

/** Does the actions, then looks once at what became of the page. */
export async function actionsAnswer(
  session: Session,
  actions: readonly Action[],
  { signal, checkPath, show }: DiscoveryRoom,
): Promise<ActionsAnswer> {
  const { failed, before, after } = await doActions(session, actions, { signal, checkPath });
  const done = actions.length - failed.length;
  const led = placeOf(after) === placeOf(before) ? 'The page is still the same.' : 'They led to another page.';
  return {
    success: failed.length === 0,
    completed_count: done,
    total_actions: actions.length,
    failed_actions: withoutSecrets(session, failed),
    errors: withoutSecrets(
      session,
      after.errors.map(({ text, control }) => ({ message: text, field: control })),
    ),
    ...(await viewOf(session, show)),
    message: `${done} of ${actions.length} actions were done. ${led}${withoutSecrets(session, told(session.watch.take()))}`,
  };
}
