import { nextChange, settled } from '../../platform/page/settle.ts';
import type { Stage } from '../replay/stage.ts';
import type { Action } from './model.ts';
import { type Observation, observe } from './observe.ts';

/** So long something that was done may lead to nothing before it is taken for nothing. */
const PATIENCE_MS = 1000;

/** Waits for what comes of a step that has led to nothing yet, as a message that a script shows after a moment. */
export async function lateOutcome(
  stage: Pick<Stage, 'page' | 'spoken'>,
  isList: boolean,
  before: Observation,
  step: Action,
): Promise<Observation> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = until - performance.now();
    const hasChanged = left > 0 && (await nextChange(stage.page(), left));
    if (hasChanged) await settled(stage.page(), async () => {});
    const seen = await observe(stage.page(), isList, stage.spoken());
    if (!hasChanged || !isUnchanged(before, seen, step)) return seen;
  }
}

/** Whether a step has led to nothing, as far as can be seen. What it entered itself is no outcome. */
export function isUnchanged(before: Observation, seen: Observation, step: Action): boolean {
  const isClick = step.do === 'click' || step.do === 'press';
  const told = ({ url, lines, fields, marked, alerts, held }: Observation) =>
    JSON.stringify([url, lines.map(({ text }) => text), fields, marked, alerts, isClick && held]);
  return told(before) === told(seen);
}
