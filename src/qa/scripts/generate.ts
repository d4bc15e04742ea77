import { isOfEndedBrowser } from '../replay/classify.ts';
import { type Limits, usualLimits } from '../replay/perform.ts';
import { play, type StepOutcome } from '../replay/play.ts';
import { wordsOf } from '../replay/replay.ts';
import { openStage, type Stage, type StageWishes } from '../replay/stage.ts';
import { pictureOf } from '../replay/stage-picture.ts';
import { type Assignment, author, type Draft, type Point } from './author.ts';
import { arrival, chooseExpectations } from './expectations.ts';
import { type Expectation, isExpectation, type Step } from './model.ts';
import { lastActionOf, type Mutant, mutantsFor } from './mutants.ts';
import { isListed, observe } from './observe.ts';

/** What came of writing a script: it may still have to prove itself, or it has failed, with the reason. */
export interface Written {
  steps: Step[];
  /** Undefined where nothing speaks against it. */
  failure?: { reason: string; kind: 'not carried out' | 'site contradicts' | 'too weak' | 'not repeatable' };
  /** Each way in which the page was broken, and how many expectations noticed. */
  mutants: { name: string; noticed: number }[];
  picture?: Uint8Array;
}

export type Wishes = StageWishes & { isPrivate(text: string): boolean };

/** Nothing is waited for: the page has come to rest before it is looked at. */
const atOnce: Limits = { ...usualLimits, elementMs: 2000, expectMs: 0 };

/** Writes a script while carrying the case out, carries it out once more to see what is stable, and tries to fool it. */
export async function writeScript(wishes: Wishes, assignment: Assignment): Promise<Written> {
  const first = await carryOut(wishes, assignment);
  if ('reason' in first) return failed([], 'not carried out', first.reason, first.picture);
  const { draft, unique, sent, hadFailures } = first;
  const rehearsed = await rehearse(wishes, draft, isListed(assignment.evidence));
  if ('reason' in rehearsed) return failed(draft.steps, 'not repeatable', rehearsed.reason, rehearsed.picture);
  const uniques: [string, string] = [unique, rehearsed.unique];
  const second = rehearsed.points.at(-1);
  if (!second) return failed(draft.steps, 'not carried out', 'The page was never looked at.');
  const chosen = chooseExpectations({
    ...assignment,
    ...{ draft, second, uniques, sent, hadFailures },
    baseUrl: wishes.baseUrl,
    isPrivate: wishes.isPrivate,
  });
  if (chosen.contradiction) return failed(draft.steps, 'site contradicts', chosen.contradiction, first.picture);
  const steps = assembled(draft, rehearsed.points, uniques, wishes, chosen.expectations);
  const breakAt = draft.decisive ? steps.indexOf(draft.decisive) : lastActionOf(steps);
  return proveStrength(wishes, steps, mutantsFor(assignment.plan), breakAt);
}

/** A script must notice each way in which the page is broken. */
export async function proveStrength(
  wishes: Wishes,
  steps: Step[],
  broken: readonly Mutant[],
  breakAt = lastActionOf(steps),
): Promise<Written> {
  const mutants: Written['mutants'] = [];
  for (const mutant of broken) {
    const tried = await noticedBy(wishes, steps, mutant, breakAt);
    if ('reason' in tried) return failed(steps, 'not repeatable', tried.reason, tried.picture);
    const { noticed } = tried;
    mutants.push({ name: mutant.name, noticed });
    if (noticed === 0) {
      const reason = `None of its expectations noticed that ${mutant.name}.`;
      return { steps, mutants, failure: { kind: 'too weak', reason } };
    }
  }
  return { steps, mutants };
}

function failed(
  steps: Step[],
  kind: NonNullable<Written['failure']>['kind'],
  reason: string,
  picture?: Uint8Array,
): Written {
  return { steps, mutants: [], failure: { kind, reason }, ...(picture && { picture }) };
}

interface Stuck {
  reason: string;
  picture?: Uint8Array;
}

type CarriedOut = { draft: Draft; picture: Uint8Array | undefined; hadFailures: boolean } & Pick<
  Stage,
  'unique' | 'sent'
>;

async function carryOut(wishes: Wishes, assignment: Assignment): Promise<CarriedOut | Stuck> {
  await using stage = await openStage(wishes);
  try {
    const draft = await author(stage, assignment);
    const { unique, sent, failures } = stage;
    return { draft, unique, sent, hadFailures: failures.length > 0, picture: await pictureOf(stage) };
  } catch (error) {
    wishes.signal?.throwIfAborted();
    return stuck(stage, error);
  }
}

/** The same steps in another session: what is seen both times is stable, and the steps can be repeated. */
async function rehearse(
  wishes: Wishes,
  { steps, points }: Draft,
  isList: boolean,
): Promise<{ points: Point[]; unique: string } | Stuck> {
  await using stage = await openStage(wishes);
  const seen: Point[] = [];
  const outcomes = await play(stage, steps, {
    ...(wishes.signal && { signal: wishes.signal }),
    settleAfter: (position) => points.some(({ after }) => after === position + 1),
    async before(position) {
      if (!points.some(({ after }) => after === position)) return;
      seen.push({ after: position, seen: await observe(stage.page(), isList), requests: stage.sent.length });
    },
  });
  const wrong = outcomes.find(({ status }) => status === 'failed');
  return wrong ? stuck(stage, wrong.error, wrong) : { points: seen, unique: stage.unique };
}

async function stuck(stage: Stage, error: unknown, at?: StepOutcome): Promise<Stuck> {
  const picture = await pictureOf(stage);
  const reason = at ? `${at.description}: ${wordsOf(error)}` : wordsOf(error);
  return { reason, ...(picture && { picture }) };
}

/** Steps with what is expected after each page on the way, and all that is expected at the end. */
function assembled(
  { steps, points }: Draft,
  second: readonly Point[],
  uniques: [string, string],
  { baseUrl, isPrivate }: Wishes,
  atTheEnd: readonly Expectation[],
): Step[] {
  const onTheWay = new Map<number, Expectation[]>();
  for (const [i, point] of points.slice(0, -1).entries()) {
    const other = second[i];
    if (other) onTheWay.set(point.after, arrival(points[i - 1], point, other, uniques, { baseUrl, isPrivate, steps }));
  }
  const whole: Step[] = [];
  for (const [i, step] of steps.entries()) {
    whole.push(step);
    const expected = onTheWay.get(i + 1);
    if (expected) whole.push(...expected);
  }
  return [...whole, ...atTheEnd];
}

/** How many of the last expectations fail on a broken page; or why it was never reached. */
async function noticedBy(
  wishes: Wishes,
  steps: readonly Step[],
  mutant: Mutant,
  last: number,
): Promise<{ noticed: number } | Stuck> {
  await using stage = await openStage(wishes);
  let broken = false;
  const outcomes = await play(stage, steps, {
    ...(wishes.signal && { signal: wishes.signal }),
    soft: true,
    limits: atOnce,
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
  return early ? stuck(stage, early.error, early) : { noticed: failures.length };
}

/** The next thing that the script does is to look. */
function isLookedAt(steps: readonly Step[], position: number): boolean {
  const next = steps[position + 1];
  return next !== undefined && isExpectation(next);
}

/** Plays the script as it would be played for good, without pictures. */
export async function tryOut(
  wishes: Wishes,
  steps: readonly Step[],
): Promise<{ outcomes: StepOutcome[]; durationMs: number; picture?: Uint8Array }> {
  const from = performance.now();
  await using stage = await openStage(wishes);
  const outcomes = await play(stage, steps, { ...(wishes.signal && { signal: wishes.signal }) });
  const durationMs = performance.now() - from;
  const isFine = outcomes.every(({ status, healedBy }) => status === 'passed' && healedBy === undefined);
  const picture = isFine ? undefined : await pictureOf(stage);
  return { outcomes, durationMs, ...(picture && { picture }) };
}
