import { fileOfBoth } from './files.ts';
import { type Action, type EachExpectation, type Expectation, isInEach, type Oracle, pathWithin } from './model.ts';
import { countedRoles, isListed, type Line, type Observation } from './observe.ts';
import type { Point } from './pen.ts';
import { commonPath, generic, goneLines, leadingItems, stableLines, type Twice, tellingLines } from './texts.ts';
import { enteredBy, isQuestion, lastSeen, twice, type Witnessed, withoutHits } from './witnessed.ts';

const MOST_TEXTS = 6;

/** Where the form is shown again once it was sent, it holds what was entered, if the site has kept it. */
export function keptValues({ plan, draft, evidence, second, uniques }: Witnessed): Expectation[] {
  const first = draft.points.at(-1)?.seen;
  if (!first || evidence.form?.method !== 'post' || plan.send === 'none') return [];
  return Object.entries(plan.values).flatMap(([key, value]): Expectation[] => {
    const on = draft.fields.get(key);
    const looks = [first, second.seen].map(({ held }, i) => generic(held[key] ?? '', uniques[i] ?? ''));
    const isKept = on && value !== '' && looks.every((look) => look === value);
    return isKept ? [{ do: 'expectValue', on, value, oracle: 'observed' }] : [];
  });
}

/** What both looks have in common. */
export function observed(witnessed: Witnessed): Expectation[] {
  const { plan, evidence, draft, hadFailures } = witnessed;
  const looks = twice(witnessed);
  const lastingOf = (seen: Observation | undefined) => seen && withoutHits(seen, witnessed);
  const lasting = { ...looks, before: lastingOf(looks.before) };
  const isList = isListed(evidence);
  const items = isList ? leadingItems(looks) : undefined;
  const isOnlyOpened = plan.send === 'none' && plan.control === null;
  const telling = tellingLines(looks).slice(0, MOST_TEXTS);
  // A page of nothing but links is still told from an empty one by them.
  const said = telling.length === 0 && isOnlyOpened ? stableLines(looks).slice(0, 2) : telling;
  const form = formShownAgain(witnessed);
  const isHeading = (text: string) => looks.first.lines.some((line) => line.heading && line.text === text);
  const texts = said.filter((text) => form.length === 0 || !isHeading(text));
  return [
    place(witnessed),
    ...form,
    ...texts.filter((text) => !plan.expected.says.includes(text)).map((text) => says(text)),
    ...(items && !texts.includes(items) ? [says(items)] : []),
    ...(texts.length === 0 ? [...vanished(lasting, isList), ...fetched(witnessed)] : []),
    // What stands on one page of a list stands on no other.
    ...(evidence.class === 'pagination' && texts.length > 0 ? vanished(lasting, false) : []),
    ...(plan.after.at(-1) === 'back'
      ? vanished({ ...looks, before: lastingOf(draft.points.at(-2)?.seen) }, isList)
      : []),
    ...inEach(witnessed),
    ...fileOfBoth({ ...looks, first: draft.points.at(-1)?.files ?? [], second: witnessed.second.files }),
    ...(isList ? counts(looks) : []),
    ...(hadFailures ? [] : [{ do: 'expectNoErrors' as const, oracle: 'observed' as const }]),
  ];
}

/** Where going back leads to the form, that is known by a field of it, whatever the page calls it now. */
function formShownAgain({ plan, draft, second }: Witnessed): Expectation[] {
  if (plan.after.at(-1) !== 'back') return [];
  const looks = [draft.points.at(-1)?.seen, second.seen];
  const shown = [...draft.fields].find(([key]) => looks.every((look) => look?.fields.includes(key)));
  return shown ? [{ do: 'expectVisible', on: shown[1], oracle: 'observed' }] : [];
}

/** Where nothing new is said, something may be gone. */
function vanished(looks: Twice, isList: boolean): Expectation[] {
  return goneLines(looks, isList)
    .slice(0, 1)
    .map((text) => ({ do: 'expectNoText', text, oracle: 'observed' }));
}

/** Where the page stays as it is, something may have been fetched: a file, for example. */
function fetched({ sent, draft, baseUrl }: Witnessed): Expectation[] {
  const got = sent
    .slice(draft.requestsBefore)
    .find(({ method, path, status }) => method === 'GET' && path.startsWith('/') && status > 0 && status < 400);
  return got ? [{ do: 'expectRequest', method: 'GET', path: pathWithin(got.path, baseUrl), oracle: 'observed' }] : [];
}

export function says(text: string, oracle: Oracle = 'observed'): Expectation {
  return { do: 'expectText', text, oracle };
}

export function place(witnessed: Witnessed, oracle: Oracle = 'observed'): Expectation {
  const { draft, second, uniques, baseUrl } = witnessed;
  const at = pageExpectation(draft.points.at(-1), second, uniques, baseUrl, draft.steps, oracle);
  return hasLostQuery(witnessed) ? { ...at, path: `${at.path}?` } : at;
}

/** Whether it is the same page as before, both times without the query that it had there. */
function hasLostQuery({ draft, second }: Witnessed): boolean {
  const [left, here, again] = [...draft.points.slice(-2), second].map(({ seen }) => URL.parse(seen.url));
  if (draft.points.length < 2 || !left || !here || !again) return false;
  return left.search !== '' && left.pathname === here.pathname && here.search + again.search === '';
}

/** Where both looks at a point of the script were. */
function pageExpectation(
  one: Point | undefined,
  other: Point,
  uniques: [string, string],
  baseUrl: string,
  steps: readonly Action[],
  oracle: Oracle = 'observed',
): Extract<Expectation, { do: 'expectUrl' }> {
  const paths = [one ?? other, other].map(({ seen }, i) => generic(pathWithin(seen.url, baseUrl), uniques[i] ?? ''));
  return { do: 'expectUrl', path: withoutGiven(commonPath(paths[0] ?? '', paths[1] ?? ''), steps), oracle };
}

/**
 * A number that the site gives to what was filled in is another each time. One that the script itself opens is not, nor is
 * that of a page that follows the opened one in a row: `/apply/2` after `/apply/1`.
 */
export function withoutGiven(path: string, steps: readonly Action[]): string {
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

/** That a page on the way is there: by its address, and where that stays the same, by what is new on it. */
export function arrival(
  previous: Point | undefined,
  one: Point,
  other: Point,
  uniques: [string, string],
  { baseUrl, isPrivate, steps }: Pick<Witnessed, 'baseUrl' | 'isPrivate'> & { steps: readonly Action[] },
): Expectation[] {
  const address = pageExpectation(one, other, uniques, baseUrl, steps);
  if (previous?.seen.url !== one.seen.url) return [address];
  const entered = enteredBy(steps);
  const looks = { first: one.seen, second: other.seen, uniques, before: previous.seen, entered, isPrivate };
  return [
    address,
    ...tellingLines(looks)
      .slice(0, 1)
      .map((text) => whereSaid(says(text), one.seen, uniques[0])),
  ];
}

/** Marks what is said in a dialog, or in a component or a frame of the page alone, which is not read otherwise. */
export function whereSaid(one: Expectation, seen: Observation | undefined, unique: string): Expectation {
  if (!seen || (one.do !== 'expectText' && one.do !== 'expectNoText')) return one;
  const says = (fits: (line: Line) => boolean) => {
    const texts = seen.lines.filter(fits).map(({ text }) => text);
    return generic(texts.join(' '), unique).includes(one.text);
  };
  if (says(({ within, spoken }) => !within && !spoken)) return one;
  if (one.do === 'expectText' && says(({ spoken }) => spoken === true))
    return { do: 'expectDialog', text: one.text, oracle: one.oracle };
  return says(({ spoken }) => !spoken) ? { ...one, inParts: true } : one;
}

/** What was asked for stands in each hit, whatever else is listed another day. */
function inEach(witnessed: Witnessed): Expectation[] {
  const { evidence, draft, second } = witnessed;
  const first = lastSeen(witnessed);
  const { itemRole: role } = first;
  if (role === null || role !== second.seen.itemRole || !isQuestion(evidence)) return [];
  // A search finds parts of words, too.
  const partly = evidence.class === 'search' ? { partly: true as const } : {};
  return enteredBy(draft.steps)
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text): EachExpectation => ({ do: 'expectEach', role, text, ...partly, oracle: 'observed' }))
    .filter((each) => [first, second.seen].every(({ items }) => isInEach(items, each)))
    .slice(0, MOST_TEXTS);
}

/** How much the list shows, where it is one and both looks agree. */
function counts({ first, second, before }: Twice): Expectation[] {
  const role = countedRoles.find((one) => {
    const hasChanged = before !== undefined && before.counts[one] !== first.counts[one];
    return first.counts[one] === second.counts[one] && (first.counts[one] > 1 || hasChanged);
  });
  return role ? [{ do: 'expectCount', role, count: first.counts[role], oracle: 'observed' }] : [];
}
