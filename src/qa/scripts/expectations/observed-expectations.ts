import {
  type EachExpectation,
  type ExpectationOracle,
  isInEach,
  pathWithin,
  type ScriptAction,
  type ScriptExpectation,
} from '../model/script-steps.ts';
import { countedRoles, isListUseCase, type ObservedLine, type PageObservation } from '../record/page-observation.ts';
import type { ObservedPoint } from '../record/script-recorder.ts';
import {
  type CaseRecording,
  enteredValues,
  isQueryUseCase,
  lastObservation,
  observationPair,
  withoutTransientHits,
} from './case-recording.ts';
import { expectDownload } from './downloads.ts';
import {
  assertableLines,
  commonPath,
  leadingItems,
  type ObservationPair,
  removedLines,
  stableLines,
  withUniquePlaceholder,
} from './stable-text.ts';

const MAX_TEXTS = 6;

/** A form that is shown again after the submission has the entered values, if the site stored them. */
export function expectKeptValues({ plan, draft, evidence, second, uniques }: CaseRecording): ScriptExpectation[] {
  const first = draft.points.at(-1)?.seen;
  if (!first || evidence.form?.method !== 'post' || plan.send === 'none') return [];
  return Object.entries(plan.values).flatMap(([key, value]): ScriptExpectation[] => {
    const on = draft.fields.get(key);
    const looks = [first, second.seen].map(({ fieldValues }, i) =>
      withUniquePlaceholder(fieldValues[key] ?? '', uniques[i] ?? ''),
    );
    const isKept = on && value !== '' && looks.every((look) => look === value);
    return isKept ? [{ do: 'expectValue', on, value, oracle: 'observed' }] : [];
  });
}

/** Expectations for what both observations have in common. */
export function expectObserved(recording: CaseRecording): ScriptExpectation[] {
  const { plan, evidence, draft, hadFailures } = recording;
  const looks = observationPair(recording);
  const withoutHits = (seen: PageObservation | undefined) => seen && withoutTransientHits(seen, recording);
  const stablePair = { ...looks, before: withoutHits(looks.before) };
  const isList = isListUseCase(evidence);
  const items = isList ? leadingItems(looks) : undefined;
  const isOnlyOpened = plan.send === 'none' && plan.control === null;
  const assertable = assertableLines(looks).slice(0, MAX_TEXTS);
  // On a page that has only links, the links distinguish it from an empty page.
  const said = assertable.length === 0 && isOnlyOpened ? stableLines(looks).slice(0, 2) : assertable;
  const form = expectFormShownAgain(recording);
  const isHeading = (text: string) => looks.first.lines.some((line) => line.heading && line.text === text);
  const texts = said.filter((text) => form.length === 0 || !isHeading(text));
  return [
    urlExpectation(recording),
    ...form,
    ...texts.filter((text) => !plan.expected.says.includes(text)).map((text) => textExpectation(text)),
    ...(items && !texts.includes(items) ? [textExpectation(items)] : []),
    ...(texts.length === 0 ? [...expectRemovedText(stablePair, isList), ...expectFetched(recording)] : []),
    // The content of one page of a list is not on the other pages.
    ...(evidence.class === 'pagination' && texts.length > 0 ? expectRemovedText(stablePair, false) : []),
    ...(plan.after.at(-1) === 'back'
      ? expectRemovedText({ ...looks, before: withoutHits(draft.points.at(-2)?.seen) }, isList)
      : []),
    ...expectInEachItem(recording),
    ...expectDownload({ ...looks, first: draft.points.at(-1)?.files ?? [], second: recording.second.files }),
    ...(isList ? expectItemCount(looks) : []),
    ...(hadFailures ? [] : [{ do: 'expectNoErrors' as const, oracle: 'observed' as const }]),
  ];
}

/** After going back to the form, one of its fields identifies the page, whatever its title is now. */
function expectFormShownAgain({ plan, draft, second }: CaseRecording): ScriptExpectation[] {
  if (plan.after.at(-1) !== 'back') return [];
  const looks = [draft.points.at(-1)?.seen, second.seen];
  const shown = [...draft.fields].find(([key]) => looks.every((look) => look?.fields.includes(key)));
  return shown ? [{ do: 'expectVisible', on: shown[1], oracle: 'observed' }] : [];
}

/** Without a new text, an earlier text may have disappeared. */
function expectRemovedText(looks: ObservationPair, isList: boolean): ScriptExpectation[] {
  return removedLines(looks, isList)
    .slice(0, 1)
    .map((text) => ({ do: 'expectNoText', text, oracle: 'observed' }));
}

/** Without a change of the page, something may have been fetched, such as a file. */
function expectFetched({ sent, draft, baseUrl }: CaseRecording): ScriptExpectation[] {
  const got = sent
    .slice(draft.requestsBefore)
    .find(({ method, path, status }) => method === 'GET' && path.startsWith('/') && status > 0 && status < 400);
  return got ? [{ do: 'expectRequest', method: 'GET', path: pathWithin(got.path, baseUrl), oracle: 'observed' }] : [];
}

export function textExpectation(text: string, oracle: ExpectationOracle = 'observed'): ScriptExpectation {
  return { do: 'expectText', text, oracle };
}

export function urlExpectation(recording: CaseRecording, oracle: ExpectationOracle = 'observed'): ScriptExpectation {
  const { draft, second, uniques, baseUrl } = recording;
  const at = pointUrlExpectation(draft.points.at(-1), second, uniques, baseUrl, draft.steps, oracle);
  return hasLostQuery(recording) ? { ...at, path: `${at.path}?` } : at;
}

/** Whether it is the same page as before; the query of the address is ignored. */
function hasLostQuery({ draft, second }: CaseRecording): boolean {
  const [left, here, again] = [...draft.points.slice(-2), second].map(({ seen }) => URL.parse(seen.url));
  if (draft.points.length < 2 || !left || !here || !again) return false;
  return left.search !== '' && left.pathname === here.pathname && here.search + again.search === '';
}

/** The address of both observations at one point of the script. */
function pointUrlExpectation(
  one: ObservedPoint | undefined,
  other: ObservedPoint,
  uniques: [string, string],
  baseUrl: string,
  steps: readonly ScriptAction[],
  oracle: ExpectationOracle = 'observed',
): Extract<ScriptExpectation, { do: 'expectUrl' }> {
  const paths = [one ?? other, other].map(({ seen }, i) =>
    withUniquePlaceholder(pathWithin(seen.url, baseUrl), uniques[i] ?? ''),
  );
  return { do: 'expectUrl', path: wildcardAssignedIds(commonPath(paths[0] ?? '', paths[1] ?? ''), steps), oracle };
}

/**
 * A number that the site assigns to a new record differs in each run. A number in an address that the script itself
 * opens does not, nor does that of a following page: `/apply/2` after `/apply/1`.
 */
export function wildcardAssignedIds(path: string, steps: readonly ScriptAction[]): string {
  if (!steps.some(({ do: what }) => what === 'fill' || what === 'type' || what === 'select')) return path;
  const opened = steps.flatMap((step) => (step.do === 'goto' ? [step.url.split(/[/?#]/)] : []));
  const [way = '', ...rest] = path.split('?');
  const parts = way.split('/');
  const isNumber = (part: string | undefined) => /^\d+$/.test(part ?? '');
  const isInRow = opened.some(
    (other) =>
      other.length === parts.length &&
      parts.every((part, i) => part === other[i] || (isNumber(part) && isNumber(other[i]))),
  );
  if (isInRow) return path;
  const known = new Set(opened.flat());
  const open = parts.map((part) => (isNumber(part) && !known.has(part) ? '*' : part));
  return [open.join('/'), ...rest].join('?');
}

/** Expects the next page: by its address, or, if that stays the same, by what is new on it. */
export function expectArrival(
  previous: ObservedPoint | undefined,
  one: ObservedPoint,
  other: ObservedPoint,
  uniques: [string, string],
  { baseUrl, isPrivate, steps }: Pick<CaseRecording, 'baseUrl' | 'isPrivate'> & { steps: readonly ScriptAction[] },
): ScriptExpectation[] {
  const address = pointUrlExpectation(one, other, uniques, baseUrl, steps);
  if (previous?.seen.url !== one.seen.url) return [address];
  const entered = enteredValues(steps);
  const looks = { first: one.seen, second: other.seen, uniques, before: previous.seen, entered, isPrivate };
  return [
    address,
    ...assertableLines(looks)
      .slice(0, 1)
      .map((text) => withTextLocation(textExpectation(text), one.seen, uniques[0])),
  ];
}

/** Marks texts of a dialog, a component or a frame, which need a special reading. */
export function withTextLocation(
  one: ScriptExpectation,
  seen: PageObservation | undefined,
  unique: string,
): ScriptExpectation {
  if (!seen || (one.do !== 'expectText' && one.do !== 'expectNoText')) return one;
  const isShown = (fits: (line: ObservedLine) => boolean) => {
    const texts = seen.lines.filter(fits).map(({ text }) => text);
    return withUniquePlaceholder(texts.join(' '), unique).includes(one.text);
  };
  if (isShown(({ within, spoken }) => !within && !spoken)) return one;
  if (one.do === 'expectText' && isShown(({ spoken }) => spoken === true))
    return { do: 'expectDialog', text: one.text, oracle: one.oracle };
  return isShown(({ spoken }) => !spoken) ? { ...one, inParts: true } : one;
}

/** The search text is in each hit, whatever else is listed later. */
function expectInEachItem(recording: CaseRecording): ScriptExpectation[] {
  const { evidence, draft, second } = recording;
  const first = lastObservation(recording);
  const { itemRole: role } = first;
  if (role === null || role !== second.seen.itemRole || !isQueryUseCase(evidence)) return [];
  // A search may match parts of words.
  const partly = evidence.class === 'search' ? { partly: true as const } : {};
  return enteredValues(draft.steps)
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text): EachExpectation => ({ do: 'expectEach', role, text, ...partly, oracle: 'observed' }))
    .filter((each) => [first, second.seen].every(({ items }) => isInEach(items, each)))
    .slice(0, MAX_TEXTS);
}

/** The number of list entries, if the page is a list and both observations agree. */
function expectItemCount({ first, second, before }: ObservationPair): ScriptExpectation[] {
  const role = countedRoles.find((one) => {
    const hasChanged = before !== undefined && before.counts[one] !== first.counts[one];
    return first.counts[one] === second.counts[one] && (first.counts[one] > 1 || hasChanged);
  });
  return role ? [{ do: 'expectCount', role, count: first.counts[role], oracle: 'observed' }] : [];
}
