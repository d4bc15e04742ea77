import type { PageReading } from '../../platform/page/model.ts';
import { readPage } from '../../platform/page/read.ts';
import { settled } from '../../platform/page/settle.ts';
import { perform } from '../replay/perform.ts';
import type { Stage } from '../replay/stage.ts';
import type { FormEvidence } from '../scan/evidence.ts';
import { type ArrivedFile, arrivedFiles } from './files.ts';
import { isUnchanged, lateOutcome } from './late-outcome.ts';
import type { Action, Place } from './model.ts';
import { type Observation, observe } from './observe.ts';

/** The page as it was once something had been sent or opened, and after how many steps that was. */
export interface Point {
  after: number;
  seen: Observation;
  /** What was offered as a file. */
  files: ArrivedFile[];
  /** How many requests had been answered by then. */
  requests: number;
  /** What came of the step took a moment longer than the page needs to come to rest. */
  isLate?: true;
}

/** A script without expectations yet, and what was seen while it was written. */
export interface Draft {
  steps: Action[];
  points: Point[];
  /** The page before the last thing that was done. */
  before: Observation | undefined;
  /** Where the fields of the plan are. */
  fields: Map<string, Place>;
  /** Where the form of the plan is sent to, as its page has it; undefined where no form surrounds its fields. */
  action: string | undefined;
  /** Requests up to the last action: what comes after it belongs to the outcome. */
  requestsBefore: number;
  /** The step that led to the last look. */
  decisive: Action | undefined;
  /** The button that would send the form, where it cannot be clicked. */
  off: Place | undefined;
  /** The pages of the form that followed its first, as they were before they were filled in. */
  laterPages: FormEvidence[];
}

export function newDraft(): Draft {
  return {
    ...{ steps: [], points: [], before: undefined, fields: new Map() },
    ...{ requestsBefore: 0, action: undefined, decisive: undefined, off: undefined, laterPages: [] },
  };
}

const opens: readonly Action['do'][] = ['goto', 'reload', 'back'];

export type Pen = ReturnType<typeof penFor>;

/** What a script is written with: each step is done, and then kept. */
export function penFor(stage: Stage, draft: Draft, isList: boolean) {
  const page = () => stage.page();
  async function mark(step?: Action): Promise<void> {
    const seen = await observe(page(), isList, stage.spoken());
    const late = step && (await lateAfter(step, seen));
    const files = await arrivedFiles(stage);
    const point = { after: draft.steps.length, seen: late ?? seen, files, requests: stage.sent.length };
    draft.points.push(late ? { ...point, isLate: true } : point);
  }
  /** What was not sent because the browser refuses it leads to nothing more, and what was sent has been answered. */
  async function lateAfter(step: Action, seen: Observation): Promise<Observation | undefined> {
    const { before, requestsBefore } = draft;
    const isOver = stage.sent.length > requestsBefore || seen.invalid.length > 0;
    if (!before || isOver || !isUnchanged(before, seen, step)) return undefined;
    const late = await lateOutcome(stage, isList, before, step);
    return isUnchanged(before, late, step) ? undefined : late;
  }
  /** A way by words that only this run has brought about leads nowhere the next time. */
  function lasting(place: Place): Place {
    const ladder = place.ladder.filter(({ value }) => !value.includes(stage.unique));
    return ladder.length > 0 ? { ...place, ladder } : place;
  }
  const kept = (step: Action): Action => ('on' in step ? { ...step, on: lasting(step.on) } : step);
  return {
    draft,
    /** Keeps where a field of the plan is. */
    note: (key: string, place: Place) => void draft.fields.set(key, lasting(place)),
    page,
    baseUrl: stage.baseUrl,
    unique: stage.unique,
    secret: stage.secret,
    /** Does a step that is no part of the script. */
    tryOut: (step: Action) => settled(page(), () => perform(stage, step)),
    read: (): Promise<PageReading> => readPage(page()),
    /** Does a step and keeps it. */
    async write(given: Action): Promise<void> {
      const step = kept(given);
      await perform(stage, step);
      draft.steps.push(step);
    },
    /** The same for a step that changes the page: it is looked at before and after. */
    async turn(given: Action, { isAwaited = true } = {}): Promise<void> {
      const step = kept(given);
      // A reload or a step back leads to a page for its own sake: what it says counts, whatever was there before.
      draft.before = opens.includes(step.do) ? undefined : await observe(page(), isList);
      draft.requestsBefore = stage.sent.length;
      await settled(page(), () => perform(stage, step));
      draft.steps.push(step);
      draft.decisive = step;
      await mark(isAwaited ? step : undefined);
    },
    /** Nothing more can be done: the page is looked at as the last step has left it. */
    async end(off: Place): Promise<void> {
      draft.off = lasting(off);
      draft.requestsBefore = stage.sent.length;
      draft.decisive = draft.steps.at(-1);
      await mark();
    },
    /** A step that only clears the way: the look after it replaces the one before. */
    async clear(step: Action): Promise<void> {
      await settled(page(), () => perform(stage, step));
      draft.steps.push(step);
      draft.points.pop();
      await mark();
    },
  };
}
