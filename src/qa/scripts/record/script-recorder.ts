import { actAndSettle } from '../../../page/settle/settle.ts';
import type { PageReading } from '../../../platform/page/page-model.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import type { ReplaySession } from '../../replay/session/replay-session.ts';
import { performAction } from '../../replay/steps/perform-action.ts';
import type { FormEvidence } from '../../scan/use-case-evidence.ts';
import { collectDownloads, type DownloadedFile } from '../expectations/downloads.ts';
import type { ElementTarget, ScriptAction } from '../model/script-steps.ts';
import { isPageUnchanged, waitForDelayedOutcome } from './delayed-outcome.ts';
import { observePage, type PageObservation } from './page-observation.ts';

/** The page after a submission or navigation, and the number of steps until then. */
export interface ObservedPoint {
  after: number;
  seen: PageObservation;
  /** The downloads. */
  files: DownloadedFile[];
  /** Number of answered requests until then. */
  requests: number;
  /** The effect of the step appeared after the page had settled. */
  isLate?: true;
}

/** A script without expectations, and the observations during its recording. */
export interface ScriptDraft {
  steps: ScriptAction[];
  points: ObservedPoint[];
  /** The page before the last action. */
  before: PageObservation | undefined;
  /** Locations of the fields of the plan. */
  fields: Map<string, ElementTarget>;
  /** The address of the form of the plan; undefined if its fields are in no form. */
  action: string | undefined;
  /** Requests until the last action; later ones belong to its outcome. */
  requestsBefore: number;
  /** The step that led to the last observation. */
  decisive: ScriptAction | undefined;
  /** The submit button, if it cannot be clicked. */
  off: ElementTarget | undefined;
  /** The following pages of the form, before they were filled in. */
  laterPages: FormEvidence[];
}

export function newScriptDraft(): ScriptDraft {
  return {
    ...{ steps: [], points: [], before: undefined, fields: new Map() },
    ...{ requestsBefore: 0, action: undefined, decisive: undefined, off: undefined, laterPages: [] },
  };
}

const openingActions: readonly ScriptAction['do'][] = ['goto', 'reload', 'back'];

export type ScriptRecorder = ReturnType<typeof createScriptRecorder>;

/** Records a script: performs each step, then stores it. */
export function createScriptRecorder(session: ReplaySession, draft: ScriptDraft, isList: boolean) {
  const page = () => session.page();
  async function mark(step?: ScriptAction): Promise<void> {
    const seen = await observePage(page(), isList, session.dialogTexts());
    const late = step && (await lateAfter(step, seen));
    const files = await collectDownloads(session);
    const point = { after: draft.steps.length, seen: late ?? seen, files, requests: session.sent.length };
    draft.points.push(late ? { ...point, isLate: true } : point);
  }
  /** A submission that the browser rejects has no further effect; a sent one has been answered. */
  async function lateAfter(step: ScriptAction, seen: PageObservation): Promise<PageObservation | undefined> {
    const { before, requestsBefore } = draft;
    const isOver = session.sent.length > requestsBefore || seen.invalid.length > 0;
    if (!before || isOver || !isPageUnchanged(before, seen, step)) return undefined;
    const late = await waitForDelayedOutcome(session, isList, before, step);
    return isPageUnchanged(before, late, step) ? undefined : late;
  }
  /** A locator with words that only this run produced fails in the next run. */
  function withoutRunText(context: ElementTarget): ElementTarget {
    const ladder = context.ladder.filter(({ value }) => !value.includes(session.unique));
    return ladder.length > 0 ? { ...context, ladder } : context;
  }
  const kept = (step: ScriptAction): ScriptAction => ('on' in step ? { ...step, on: withoutRunText(step.on) } : step);
  return {
    draft,
    /** Stores the location of a field of the plan. */
    rememberField: (key: string, context: ElementTarget) => void draft.fields.set(key, withoutRunText(context)),
    page,
    baseUrl: session.baseUrl,
    unique: session.unique,
    secret: session.secret,
    /** Performs a step without recording it. */
    performUnrecorded: (step: ScriptAction) => actAndSettle(page(), () => performAction(session, step)),
    read: (): Promise<PageReading> => readPage(page()),
    /** Performs and records a step. */
    async record(action: ScriptAction): Promise<void> {
      const step = kept(action);
      await performAction(session, step);
      draft.steps.push(step);
    },
    /** Performs and records a step that changes the page, with an observation before and after it. */
    async recordTransition(action: ScriptAction, { isAwaited = true } = {}): Promise<void> {
      const step = kept(action);
      // A reload or a step back leads to a page for its own sake: all of its text counts, even if it was there before.
      draft.before = openingActions.includes(step.do) ? undefined : await observePage(page(), isList);
      draft.requestsBefore = session.sent.length;
      await actAndSettle(page(), () => performAction(session, step));
      draft.steps.push(step);
      draft.decisive = step;
      await mark(isAwaited ? step : undefined);
    },
    /** Ends the recording with an observation of the page after the last step. */
    async endAtDisabledButton(off: ElementTarget): Promise<void> {
      draft.off = withoutRunText(off);
      draft.requestsBefore = session.sent.length;
      draft.decisive = draft.steps.at(-1);
      await mark();
    },
    /** A preparing step: its later observation replaces the earlier one. */
    async recordDismissal(step: ScriptAction): Promise<void> {
      await actAndSettle(page(), () => performAction(session, step));
      draft.steps.push(step);
      draft.points.pop();
      await mark();
    },
  };
}
