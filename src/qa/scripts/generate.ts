import { UNIQUE } from '../cases/unique.ts';
import { openStage, type Stage } from '../replay/stage.ts';
import { pictureOf } from '../replay/stage-picture.ts';
import type { FormEvidence } from '../scan/evidence.ts';
import { everyString } from '../secrets/places.ts';
import { type Assignment, author } from './author.ts';
import { chooseExpectations } from './expectations.ts';
import { notLetIn } from './let-in.ts';
import type { Expectation, Step } from './model.ts';
import { lastActionOf, mutantsFor } from './mutants.ts';
import { isListed } from './observe.ts';
import { arrival } from './observed.ts';
import type { Draft, Point } from './pen.ts';
import { type Rehearsal, rehearse, unmet } from './rehearse.ts';
import { fromTheBeginning, proveStrength, whereItEnded } from './strength.ts';
import { generic } from './texts.ts';
import { failed, type Stuck, stuck, type Wishes, type Written } from './written.ts';

/**
 * Writes a script while carrying the case out, and carries it out once more in another session: what is seen both times is
 * expected, and held against the page there and then. That is the first of the two clean plays that a script needs.
 */
export async function writeScript(wishes: Wishes, assignment: Assignment): Promise<Written> {
  const first = await carriedOut(wishes, assignment);
  if ('reason' in first) return failed([], 'not carried out', first.reason, first.picture);
  await using stage = await openStage(wishes);
  const rehearsed = await rehearse(stage, first.draft, isListed(assignment.evidence), wishes.signal);
  const { wrong } = rehearsed;
  if (wrong) return stuckAs('not repeatable', first.draft.steps, await stuck(stage, wrong.error, wrong));
  const written = await judged(wishes, assignment, first, stage, rehearsed);
  return { ...written, laterPages: first.draft.laterPages.map((form) => ofAnyRun(form, first.unique)) };
}

/** Without what only this run has brought about: a form may repeat what was entered before it. */
function ofAnyRun(form: FormEvidence, unique: string): FormEvidence {
  const { fields, ...rest } = everyString(form, (text) => generic(text, unique));
  const isOwn = (text: string) => text.includes(UNIQUE);
  return {
    ...rest,
    fields: fields.map((field) => ({
      ...field,
      label: isOwn(field.label) ? field.key : field.label,
      options: field.options.filter(({ label, value }) => !isOwn(label) && !isOwn(value)),
    })),
  };
}

async function judged(
  wishes: Wishes,
  assignment: Assignment,
  { draft, unique, sent, hadFailures }: CarriedOut,
  stage: Stage,
  { points, eve }: Rehearsal,
): Promise<Written> {
  const uniques: [string, string] = [unique, stage.unique];
  const second = points.at(-1);
  if (!second) return failed(draft.steps, 'not carried out', 'The page was never looked at.');
  const { baseUrl, isPrivate } = wishes;
  const witnessed = { ...assignment, ...{ draft, second, uniques, sent, hadFailures, baseUrl, isPrivate } };
  const { failure, expectations } = notLetIn(witnessed) ?? chooseExpectations(witnessed);
  if (failure) return failed(draft.steps, failure.kind, failure.reason, await pictureOf(stage));
  const steps = assembled(draft, points, uniques, wishes, expectations);
  const not = await unmet(stage, expectations);
  if (not)
    return stuckAs('not repeatable', steps, await stuck(stage, not.error, { description: stage.describe(not.step) }));
  const last = draft.decisive ?? draft.steps.at(-1);
  const otherwise = fromTheBeginning(wishes, steps, last ? steps.indexOf(last) : lastActionOf(steps));
  const trial = last ? whereItEnded(stage, last, expectations, eve, otherwise) : otherwise;
  return proveStrength(steps, mutantsFor(assignment.plan), trial);
}

function stuckAs(kind: Parameters<typeof failed>[1], steps: Step[], { reason, picture }: Stuck): Written {
  return failed(steps, kind, reason, picture);
}

type CarriedOut = { draft: Draft; hadFailures: boolean } & Pick<Stage, 'unique' | 'sent'>;

/** Which page of a form is its last is seen only by going through it: a double click there takes a second time. */
async function carriedOut(wishes: Wishes, assignment: Assignment): Promise<CarriedOut | Stuck> {
  const { plan } = assignment;
  if (plan.send !== 'twice' || !plan.goesOn) return carryOut(wishes, assignment);
  const once = await carryOut(wishes, { ...assignment, plan: { ...plan, send: 'once' } });
  return 'reason' in once ? once : carryOut(wishes, assignment, once.draft.laterPages.length);
}

async function carryOut(wishes: Wishes, assignment: Assignment, sentTwice?: number): Promise<CarriedOut | Stuck> {
  await using stage = await openStage(wishes);
  try {
    const draft = await author(stage, assignment, sentTwice);
    const { unique, sent, failures } = stage;
    return { draft, unique, sent, hadFailures: failures.length > 0 };
  } catch (error) {
    wishes.signal?.throwIfAborted();
    return stuck(stage, error);
  }
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
