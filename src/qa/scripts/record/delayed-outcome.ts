import { actAndSettle } from '../../../page/settle/settle.ts';
import { waitForChange } from '../../../platform/page/settle/settle.ts';
import type { ReplaySession } from '../../replay/session/replay-session.ts';
import type { ScriptAction } from '../model/script-steps.ts';
import { observePage, type PageObservation } from './page-observation.ts';

/** So long something that was done may lead to nothing before it is taken for nothing. */
const PATIENCE_MS = 1000;

/** Waits for what comes of a step that has led to nothing yet, as a message that a script shows after a moment. */
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

/** Whether a step has led to nothing, as far as can be seen. What it entered itself is no outcome. */
export function isPageUnchanged(before: PageObservation, seen: PageObservation, step: ScriptAction): boolean {
  const isClick = step.do === 'click' || step.do === 'press';
  const fingerprint = ({ url, lines, fields, marked, alerts, fieldValues }: PageObservation) =>
    JSON.stringify([url, lines.map(({ text }) => text), fields, marked, alerts, isClick && fieldValues]);
  return fingerprint(before) === fingerprint(seen);
}
