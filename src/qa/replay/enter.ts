import { setTogether } from '../../platform/page/set-together.ts';
import type { Settable, Value } from '../../platform/page/set-value.ts';
import { isSameSite } from '../scan/start-address.ts';
import { isExpectation, type Step } from '../scripts/model.ts';
import type { Stage } from './stage.ts';

interface Entry {
  control: Settable;
  value: Value;
}

/**
 * Fields that follow each other are filled in one go, as far as that goes without any doubt; the answer is how many were.
 * What is left is done step by step, with the patience that it may need.
 */
export async function enterTogether(stage: Stage, steps: readonly Step[]): Promise<number> {
  const entries: Entry[] = [];
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    // A choice that turns the page does so by being made, even where it is the one that is made already.
    const turns = step.do === 'select' && next !== undefined && isExpectation(next);
    const entry = turns ? undefined : entryOf(stage, step);
    if (!entry) break;
    entries.push(entry);
  }
  if (entries.length === 0) return 0;
  const set = await setTogether(stage.page(), entries).catch(() => []);
  stage.meter.steps += set.length;
  return set.length;
}

/** A plain field and what it is given. What holds a secret without being one goes its own, careful way. */
function entryOf(stage: Stage, step: Step): Entry | undefined {
  const { fillIn, holdsSecret } = stage;
  switch (step.do) {
    case 'fillSecret':
      return secretEntry(stage, step);
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
function secretEntry(stage: Stage, { on, secret }: Extract<Step, { do: 'fillSecret' }>): Entry | undefined {
  const url = URL.parse(stage.page().url());
  const isInFrame = on.ladder.some(({ frame = [] }) => frame.length > 0);
  if (!url || isInFrame || !isSameSite(new URL(stage.baseUrl), url)) return undefined;
  try {
    return { control: { kind: 'text', ...on, within: url.origin }, value: stage.secret(secret) };
  } catch {
    // The careful way says what is wrong with it.
    return undefined;
  }
}
