import { actAndSettle } from '../../../page/settle/settle.ts';
import { waitForChange } from '../../../platform/page/settle/settle.ts';
import type { ReplaySession } from '../../replay/session/replay-session.ts';
import type { ScriptAction } from '../model/script-steps.ts';
import { observePage, type PageObservation } from './page-observation.ts';

/** Time after which an action without a visible effect counts as one without effect. */
const PATIENCE_MS = 1000;

/** Waits for the effect of an action that has none yet, such as a delayed message. */
export async function waitForDelayedOutcome(
  session: Pick<ReplaySession, 'page' | 'dialogTexts'>,
  isList: boolean,
  before: PageObservation,
  step: ScriptAction,
): Promise<PageObservation> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = until - performance.now();
    const hasChanged = left > 0 && (await waitForChange(session.page(), left));
    if (hasChanged) await actAndSettle(session.page(), async () => {});
    const seen = await observePage(session.page(), isList, session.dialogTexts());
    if (!hasChanged || !isPageUnchanged(before, seen, step)) return seen;
  }
}

/** Whether an action had no visible effect. Its own entered value is no effect. */
export function isPageUnchanged(before: PageObservation, seen: PageObservation, step: ScriptAction): boolean {
  const isClick = step.do === 'click' || step.do === 'press';
  const fingerprint = ({ url, lines, fields, marked, alerts, fieldValues }: PageObservation) =>
    JSON.stringify([url, lines.map(({ text }) => text), fields, marked, alerts, isClick && fieldValues]);
  return fingerprint(before) === fingerprint(seen);
}
