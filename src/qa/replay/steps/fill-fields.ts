import { setMany } from '../../../platform/page/act/set-many.ts';
import type { ControlValue, SettableControl } from '../../../platform/page/act/settable-control.ts';
import { isSameSite } from '../../scan/start-url.ts';
import { isExpectation, type ScriptStep } from '../../scripts/model/script-steps.ts';
import type { ReplaySession } from '../session/replay-session.ts';

interface FieldEntry {
  control: SettableControl;
  value: ControlValue;
}

/**
 * Fills consecutive fields in one action as far as that is unambiguous, and returns their number. The caller fills the other
 * fields step by step, with waits.
 */
export async function fillFieldsTogether(session: ReplaySession, steps: readonly ScriptStep[]): Promise<number> {
  const entries: FieldEntry[] = [];
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    // A choice may open another page, even if it is already selected.
    const turns = step.do === 'select' && next !== undefined && isExpectation(next);
    const entry = turns ? undefined : fieldEntry(session, step);
    if (!entry) break;
    entries.push(entry);
  }
  if (entries.length === 0) return 0;
  const set = await setMany(session.page(), entries).catch(() => []);
  session.meter.steps += set.length;
  return set.length;
}

/** A plain field with its value. Values that contain secrets are entered separately. */
function fieldEntry(session: ReplaySession, step: ScriptStep): FieldEntry | undefined {
  const { fillIn, holdsSecret } = session;
  switch (step.do) {
    case 'fillSecret':
      return secretFieldEntry(session, step);
    case 'fill': {
      const value = fillIn(step.value);
      if (holdsSecret(value)) return undefined;
      const kind = /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'text';
      return { control: { kind, ...step.on }, value };
    }
    case 'select': {
      const [option, ...others] = step.options;
      if (option === undefined || others.length > 0 || holdsSecret(option)) return undefined;
      return { control: { kind: 'select', ...step.on }, value: fillIn(option) };
    }
    case 'check': {
      const role = step.on.ladder.find(({ by }) => by === 'role')?.role;
      if (step.hidden || (role !== 'checkbox' && role !== 'radio')) return undefined;
      return { control: { kind: role, ...step.on }, value: step.checked };
    }
    default:
      return undefined;
  }
}

/** Enters a secret only on a page of the site, whose origin is checked in the page. */
function secretFieldEntry(
  session: ReplaySession,
  { on, secret }: Extract<ScriptStep, { do: 'fillSecret' }>,
): FieldEntry | undefined {
  const url = URL.parse(session.page().url());
  const isInFrame = on.ladder.some(({ frame = [] }) => frame.length > 0);
  if (!url || isInFrame || !isSameSite(new URL(session.baseUrl), url)) return undefined;
  try {
    return { control: { kind: 'text', ...on, within: url.origin }, value: session.secret(secret) };
  } catch {
    // The slow path reports the reason.
    return undefined;
  }
}
