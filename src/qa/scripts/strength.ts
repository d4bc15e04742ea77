import { settled } from '../../platform/page/settle.ts';
import { isOfEndedBrowser } from '../replay/classify.ts';
import { type Limits, perform, usualLimits } from '../replay/perform.ts';
import { play, type StepOutcome } from '../replay/play.ts';
import { wordsOf } from '../replay/replay.ts';
import { openStage, type Stage } from '../replay/stage.ts';
import type { SentRequest } from '../replay/traffic.ts';
import { oneLine, verify } from '../replay/verify.ts';
import { type Action, type Expectation, isExpectation, isInEach, pathPattern, pathWithin, type Step } from './model.ts';
import { lastActionOf, type Mutant } from './mutants.ts';
import { countedRoles, type Observation } from './observe.ts';
import { failed, type Stuck, stuck, type Tried, tryOut, type Wishes, type Written } from './written.ts';

/** Nothing is waited for: the page has come to rest before it is looked at. */
const atOnce: Limits = { ...usualLimits, elementMs: 2000, expectMs: 0 };

/** A script must notice each way in which the page is broken. */
export async function proveStrength(steps: Step[], broken: readonly Mutant[], tryOn: Trial): Promise<Written> {
  const mutants: Written['mutants'] = [];
  for (const mutant of broken) {
    const tried = await tryOn(mutant);
    if ('reason' in tried) return failed(steps, 'not repeatable', tried.reason, tried.picture);
    mutants.push({ name: mutant.name, ...tried });
    if (tried.noticed === 0) {
      const reason = `None of its expectations noticed that ${mutant.name}.`;
      return { steps, mutants, failure: { kind: 'too weak', reason } };
    }
  }
  return { steps, mutants };
}

/** What the expectations at the end make of a page that was broken in this way; or why it could not be tried. */
type Trial = (mutant: Mutant) => Promise<Omit<Tried, 'name'> | Stuck>;

/** That nothing failed says nothing of the page, and is expected all the same. */
function told({ describe }: Stage, all: readonly Expectation[], noticed: readonly Expectation[]): Omit<Tried, 'name'> {
  const others = all.filter((one) => !noticed.includes(one) && one.do !== 'expectNoErrors');
  return { noticed: noticed.length, unnoticedBy: others.map(describe) };
}

/** Those that do not hold on the page as it stands. */
async function unmetOn(stage: Stage, expectations: readonly Expectation[]): Promise<Expectation[]> {
  const unmet: Expectation[] = [];
  for (const one of expectations)
    await verify(stage, one, atOnce).catch(() => {
      unmet.push(one);
    });
  return unmet;
}

/** Plays the script from its beginning, and breaks the page just before the last thing that it does. */
export function fromTheBeginning(wishes: Wishes, steps: readonly Step[], last = lastActionOf(steps)): Trial {
  return async (mutant) => {
    await using stage = await openStage(wishes);
    let broken = false;
    const outcomes = await play(stage, steps, {
      ...(wishes.signal && { signal: wishes.signal }),
      soft: true,
      limits: atOnce,
      // As long as nothing is broken, what is expected may take its time.
      until: { position: last, limits: usualLimits },
      // What is only filled in leads nowhere; what comes of the rest is looked at once it has come.
      settleAfter: (position) => position === last || isLookedAt(steps, position),
      async before(position) {
        if (position !== last || broken) return;
        broken = true;
        await mutant.breakPage(stage);
      },
    });
    const failures = outcomes.filter(({ status }) => status === 'failed');
    const early = failures.find(
      (outcome) => outcomes.indexOf(outcome) < last || isOfEndedBrowser(wordsOf(outcome.error)),
    );
    if (early) return stuck(stage, early.error, numbered(outcomes, early));
    const atTheEnd = outcomes.slice(last);
    const unmet = atTheEnd.flatMap(({ step, status }) => (isExpectation(step) && status === 'failed' ? [step] : []));
    // What could not be done on the broken page leaves it as it is: that is what the rest is held against.
    const rest = atTheEnd.flatMap(({ step, status }) => (isExpectation(step) && status === 'skipped' ? [step] : []));
    const noticed = [...unmet, ...(await unmetOn(stage, rest))];
    const isUndone = outcomes[last]?.status === 'failed' && noticed.length === 0;
    const undone = isUndone ? await undoneAnyway(wishes, steps, last) : undefined;
    return undone ?? told(stage, steps.slice(last).filter(isExpectation), noticed);
  };
}

/** What cannot be done on the page as it is either is the reason: the expectations were not even put to the test. */
async function undoneAnyway(wishes: Wishes, steps: readonly Step[], last: number): Promise<Stuck | undefined> {
  const { outcomes, picture } = await tryOut(wishes, steps);
  const undone = outcomes.slice(0, last + 1).find(({ status }) => status === 'failed');
  if (!undone) return undefined;
  const { description } = numbered(outcomes, undone);
  return { reason: `${description}: ${wordsOf(undone.error)}`, ...(picture && { picture }) };
}

/** Whoever wrote the script counts its steps from 1. */
function numbered(outcomes: readonly StepOutcome[], one: StepOutcome): Pick<StepOutcome, 'description'> {
  return { description: `Step ${outcomes.indexOf(one) + 1}, ${one.description}` };
}

/** The next thing that the script does is to look. */
function isLookedAt(steps: readonly Step[], position: number): boolean {
  const next = steps[position + 1];
  return next !== undefined && isExpectation(next);
}

/** The page just before the last thing that a script does, and what had been asked for until then. */
export interface Eve {
  seen: Observation;
  sent: readonly SentRequest[];
}

/**
 * Where a script has just been played to its end, that is not done again. If the last thing had no effect, the page would
 * still be as it was on the eve of it. Otherwise the page is broken where it stands, and the last thing is done once more.
 */
export function whereItEnded(
  stage: Stage,
  last: Action,
  expectations: readonly Expectation[],
  eve: Eve | undefined,
  otherwise: Trial,
): Trial {
  return async (mutant) => {
    if (mutant.leavesAll && !eve) return otherwise(mutant);
    if (mutant.leavesAll && eve) {
      const unmet = expectations.filter((one) => !heldOn(eve, one, stage));
      return told(stage, expectations, unmet);
    }
    stage.sent.length = 0;
    try {
      await mutant.breakPage(stage);
      await settled(stage.page(), () => perform(stage, last, atOnce));
    } catch (error) {
      // The way that led here is no longer there, as after a form that was sent.
      return isOfEndedBrowser(wordsOf(error)) ? stuck(stage, error) : otherwise(mutant);
    }
    const unmet = await unmetOn(stage, expectations);
    // What the page has said already stays where nothing takes it away: it is tried on one that has not said it yet.
    return unmet.length === 0 ? otherwise(mutant) : told(stage, expectations, unmet);
  };
}

/** Whether an expectation held already. What an observation does not tell counts as if it did. */
export function heldOn({ seen, sent }: Eve, step: Expectation, { fillIn, baseUrl }: Pick<Stage, 'fillIn' | 'baseUrl'>) {
  const says = (text: string) =>
    seen.lines
      .map((line) => line.text)
      .join(' ')
      .includes(oneLine(fillIn(text)));
  const wasSent = ({ method, path }: { method: string; path: string }) =>
    sent.some((one) => one.method === method && pathPattern(fillIn(path)).test(one.path));
  switch (step.do) {
    case 'expectUrl':
      return pathPattern(fillIn(step.path)).test(pathWithin(seen.url, baseUrl));
    case 'expectText':
    case 'expectDialog':
      return says(step.text);
    case 'expectDownload':
      return false;
    case 'expectNoText':
      return !says(step.text);
    case 'expectVisible': {
      const names = step.on.ladder.filter(({ by }) => by === 'name' || by === 'id').map(({ value }) => value);
      return names.length === 0 || seen.fields.some((field) => names.includes(field));
    }
    case 'expectCount': {
      const role = countedRoles.find((one) => one === step.role);
      return role === undefined || seen.counts[role] === step.count;
    }
    case 'expectEach':
      return seen.itemRole === step.role && isInEach(seen.items, { ...step, text: fillIn(step.text) });
    case 'expectRequest':
      return wasSent(step);
    case 'expectNoRequest':
      return step.method === '*' || !wasSent(step);
    default:
      return true;
  }
}
