import type { CasePlan } from '../../cases/case-plan.ts';
import type { SentRequest } from '../../replay/session/session-traffic.ts';
import type { FormEvidence, UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { pathPattern, pathWithin, type ScriptAction } from '../model/script-steps.ts';
import { isListUseCase, type PageObservation } from '../record/page-observation.ts';
import type { ObservedPoint, ScriptDraft } from '../record/script-recorder.ts';
import type { ObservationPair } from './stable-text.ts';

/** Two runs of a case, with the observations of each. */
export interface CaseRecording {
  plan: CasePlan;
  evidence: UseCaseEvidence;
  /** Other cases of the project change what is listed. */
  isLiving: boolean;
  draft: ScriptDraft;
  /** The last observation of the second run. */
  second: ObservedPoint;
  uniques: [string, string];
  /** Requests of the first run. */
  sent: readonly SentRequest[];
  hadFailures: boolean;
  baseUrl: string;
  isPrivate(text: string): boolean;
}

export function lastObservation({ draft }: CaseRecording) {
  const last = draft.points.at(-1);
  if (!last) throw new Error('a draft without a look at the page');
  return last.seen;
}

export function observationPair(recording: CaseRecording): ObservationPair {
  const { second, uniques, isPrivate, draft } = recording;
  const entered = enteredValues(draft.steps);
  const seen = withoutTransientRows(lastObservation(recording), recording.evidence, { entered, unique: uniques[0] });
  const first = withoutTransientHits(seen, recording);
  return { first, second: second.seen, uniques, isPrivate, entered, before: draft.before };
}

/**
 * Table rows change with the actions of others. Unless the use case is about a list, only rows that contain an entered
 * value count, such as the row of a new record. In a list, only the rows known from the scan count.
 */
export function withoutTransientRows(
  seen: PageObservation,
  evidence: Pick<UseCaseEvidence, 'class' | 'controls'>,
  { entered, unique }: { entered: readonly string[]; unique: string },
): PageObservation {
  if (!isListUseCase(evidence)) {
    const isMade = seen.lines.some(({ row, text }) => row && text.includes(unique));
    const isOwn = (text: string) =>
      isMade ? text.includes(unique) : entered.some((value) => value.length > 2 && text.includes(value));
    return { ...seen, lines: seen.lines.filter(({ row, text }) => !row || isOwn(text)) };
  }
  const known = evidence.class === 'view' ? evidence.controls.map(({ name }) => ` ${name} `) : [];
  const isKnown = (text: string) => known.some((name) => ` ${text} `.includes(name));
  if (!seen.lines.some(({ row, text }) => row && isKnown(text))) return seen;
  const firstNew = seen.items.findIndex((item) => !isKnown(item));
  return {
    ...seen,
    lines: seen.lines.filter(({ row, text }) => !row || isKnown(text)),
    items: seen.items.slice(0, firstNew < 0 ? undefined : firstNew),
  };
}

/** The hits of a search depend on the current data, so neither their texts nor their number are stable. */
export function withoutTransientHits(seen: PageObservation, { isLiving, evidence }: CaseRecording): PageObservation {
  if (!isLiving || !isQueryUseCase(evidence) || seen.items.length === 0) return seen;
  const isPassing = (text: string) => /\d/.test(text) || seen.items.some((item) => item.includes(text));
  const counts = { row: 0, listitem: 0, article: 0 };
  return { ...seen, lines: seen.lines.filter(({ text }) => !isPassing(text)), items: [], counts };
}

export const isQueryUseCase = ({ class: of }: Pick<UseCaseEvidence, 'class'>) => of === 'search' || of === 'filter';

export function enteredValues(steps: readonly ScriptAction[]): string[] {
  return steps.flatMap((step) => {
    if (step.do === 'fill' || step.do === 'type') return [step.value];
    if (step.do === 'select') return step.options;
    return step.do === 'upload' ? [step.file.content] : [];
  });
}

/** The path that a form is submitted to, for comparison; ids in it differ for each record. */
export function submissionPath(
  { action }: Pick<FormEvidence, 'action'>,
  { draft, baseUrl, sent }: CaseRecording,
): string {
  const path = (pathWithin(action, baseUrl).split('?')[0] ?? '').replaceAll(/\/:\w+/g, '/*');
  const live = URL.parse(draft.action ?? '')?.pathname ?? '';
  const pattern = pathPattern(path);
  const earlier = sent.slice(0, draft.requestsBefore).filter(isPostTo(pattern));
  if (path.includes('*') && earlier.length > 0 && pattern.test(live)) return withPageNumber(path, live, earlier);
  // The scan omits a trailing slash; the request has it.
  const hasSlash = live.endsWith('/') && !/\/$|#/.test(path);
  return hasSlash ? `${path}/` : path;
}

/** If earlier pages of the form used the same path, the differing part is the page number and no id. */
function withPageNumber(path: string, live: string, earlier: readonly SentRequest[]): string {
  const before = earlier.map((one) => one.path.split(/[?#]/)[0]?.split('/') ?? []);
  const parts = live.split('/');
  const isOfPage = (part: string, i: number) => part === '*' && before.some((one) => one[i] !== parts[i]);
  return path
    .split('/')
    .map((part, i) => (isOfPage(part, i) ? (parts[i] ?? part) : part))
    .join('/');
}

function isPostTo(pattern: RegExp): (request: SentRequest) => boolean {
  return ({ method, path }) => method === 'POST' && pattern.test(path);
}

/** Requests to the address of the form since it was submitted. */
export function listSubmissions(
  recording: CaseRecording,
  requests: readonly SentRequest[] = recording.sent.slice(recording.draft.requestsBefore),
): SentRequest[] {
  const { form } = recording.evidence;
  if (!form) return [];
  const pattern = pathPattern(submissionPath(form, recording));
  return requests.filter(({ method, path }) => method === form.method.toUpperCase() && pattern.test(path));
}
