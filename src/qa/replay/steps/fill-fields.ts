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
 * Fields that follow each other are filled in one go, as far as that goes without any doubt; the answer is how many were.
 * What is left is done step by step, with the patience that it may need.
 */
export async function fillFieldsTogether(session: ReplaySession, steps: readonly ScriptStep[]): Promise<number> {
  const entries: FieldEntry[] = [];
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    // A choice that turns the page does so by being made, even where it is the one that is made already.
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

/** A plain field and what it is given. What holds a secret without being one goes its own, careful way. */
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

/** A secret goes into a page of the site: the page is asked for its origin where it is given. */
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
    // The careful way says what is wrong with it.
    return undefined;
  }
}
