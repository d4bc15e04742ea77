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

/** The page as it was once something had been sent or opened, and after how many steps that was. */
export interface ObservedPoint {
  after: number;
  seen: PageObservation;
  /** What was offered as a file. */
  files: DownloadedFile[];
  /** How many requests had been answered by then. */
  requests: number;
  /** What came of the step took a moment longer than the page needs to come to rest. */
  isLate?: true;
}

/** A script without expectations yet, and what was seen while it was written. */
export interface ScriptDraft {
  steps: ScriptAction[];
  points: ObservedPoint[];
  /** The page before the last thing that was done. */
  before: PageObservation | undefined;
  /** Where the fields of the plan are. */
  fields: Map<string, ElementTarget>;
  /** Where the form of the plan is sent to, as its page has it; undefined where no form surrounds its fields. */
  action: string | undefined;
  /** Requests up to the last action: what comes after it belongs to the outcome. */
  requestsBefore: number;
  /** The step that led to the last look. */
  decisive: ScriptAction | undefined;
  /** The button that would send the form, where it cannot be clicked. */
  off: ElementTarget | undefined;
  /** The pages of the form that followed its first, as they were before they were filled in. */
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

/** What a script is written with: each step is done, and then kept. */
export function createScriptRecorder(session: ReplaySession, draft: ScriptDraft, isList: boolean) {
  const page = () => session.page();
  async function mark(step?: ScriptAction): Promise<void> {
    const seen = await observePage(page(), isList, session.dialogTexts());
    const late = step && (await lateAfter(step, seen));
    const files = await collectDownloads(session);
    const point = { after: draft.steps.length, seen: late ?? seen, files, requests: session.sent.length };
    draft.points.push(late ? { ...point, isLate: true } : point);
  }
  /** What was not sent because the browser refuses it leads to nothing more, and what was sent has been answered. */
  async function lateAfter(step: ScriptAction, seen: PageObservation): Promise<PageObservation | undefined> {
    const { before, requestsBefore } = draft;
    const isOver = session.sent.length > requestsBefore || seen.invalid.length > 0;
    if (!before || isOver || !isPageUnchanged(before, seen, step)) return undefined;
    const late = await waitForDelayedOutcome(session, isList, before, step);
    return isPageUnchanged(before, late, step) ? undefined : late;
  }
  /** A way by words that only this run has brought about leads nowhere the next time. */
  function withoutRunText(context: ElementTarget): ElementTarget {
    const ladder = context.ladder.filter(({ value }) => !value.includes(session.unique));
    return ladder.length > 0 ? { ...context, ladder } : context;
  }
  const kept = (step: ScriptAction): ScriptAction => ('on' in step ? { ...step, on: withoutRunText(step.on) } : step);
  return {
    draft,
    /** Keeps where a field of the plan is. */
    rememberField: (key: string, context: ElementTarget) => void draft.fields.set(key, withoutRunText(context)),
    page,
    baseUrl: session.baseUrl,
    unique: session.unique,
    secret: session.secret,
    /** Does a step that is no part of the script. */
    performUnrecorded: (step: ScriptAction) => actAndSettle(page(), () => performAction(session, step)),
    read: (): Promise<PageReading> => readPage(page()),
    /** Does a step and keeps it. */
    async record(action: ScriptAction): Promise<void> {
      const step = kept(action);
      await performAction(session, step);
      draft.steps.push(step);
    },
    /** The same for a step that changes the page: it is looked at before and after. */
    async recordTransition(action: ScriptAction, { isAwaited = true } = {}): Promise<void> {
      const step = kept(action);
      // A reload or a step back leads to a page for its own sake: what it says counts, whatever was there before.
      draft.before = openingActions.includes(step.do) ? undefined : await observePage(page(), isList);
      draft.requestsBefore = session.sent.length;
      await actAndSettle(page(), () => performAction(session, step));
      draft.steps.push(step);
      draft.decisive = step;
      await mark(isAwaited ? step : undefined);
    },
    /** Nothing more can be done: the page is looked at as the last step has left it. */
    async endAtDisabledButton(off: ElementTarget): Promise<void> {
      draft.off = withoutRunText(off);
      draft.requestsBefore = session.sent.length;
      draft.decisive = draft.steps.at(-1);
      await mark();
    },
    /** A step that only clears the way: the look after it replaces the one before. */
    async recordDismissal(step: ScriptAction): Promise<void> {
      await actAndSettle(page(), () => performAction(session, step));
      draft.steps.push(step);
      draft.points.pop();
      await mark();
    },
  };
}
