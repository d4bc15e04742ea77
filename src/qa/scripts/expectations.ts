import { quote } from '../../platform/errors.ts';
import { UNIQUE } from '../cases/unique.ts';
import { acceptance, unfounded } from './acceptance.ts';
import { type Expectation, hasWords, isWriting, pathPattern, writingMethods } from './model.ts';
import { isListed } from './observe.ts';
import { observed, place, says, whereSaid, withoutGiven } from './observed.ts';
import { refusedEntry } from './refused-entry.ts';
import { generic, tellingLines } from './texts.ts';
import { enteredBy, lastSeen, sentTo, submissions, twice, type Witnessed } from './witnessed.ts';
import { type Chosen, contradiction, notTold } from './written.ts';

/** What the script expects at its end: what the oracle demands, then what both looks have in common. */
export function chooseExpectations(witnessed: Witnessed): Chosen {
  const { expectations, ...rest } = chosenFor(witnessed);
  const { draft, uniques } = witnessed;
  return {
    ...rest,
    // What is not said any more was said before.
    expectations: expectations.map((one) =>
      whereSaid(one, one.do === 'expectNoText' ? draft.before : lastSeen(witnessed), uniques[0]),
    ),
  };
}

function chosenFor(witnessed: Witnessed): Chosen {
  const { outcome } = witnessed.plan.expected;
  if (outcome === 'rejected') return rejection(witnessed);
  if (outcome === 'cut') return cut(witnessed);
  if (outcome === 'refused-entry') return refusedEntry(witnessed);
  if (outcome === 'accepted') return acceptance(witnessed);
  return unfounded(witnessed) ?? { expectations: [...sentOnce(witnessed), ...observed(witnessed)] };
}

/** What went out once, though it was sent with a double click, must not go out twice. */
function sentOnce({ plan, draft, sent, uniques }: Witnessed): Expectation[] {
  if (plan.send !== 'twice') return [];
  const written = sent.slice(draft.requestsBefore).flatMap(({ method, path }) => {
    const known = writingMethods.find((one) => one === method);
    return known && path.startsWith('/') ? [{ method: known, path: path.split(/[?#]/)[0] ?? path }] : [];
  });
  const [first, ...others] = written;
  if (!first || others.length > 0) return [];
  const path = withoutGiven(generic(first.path, uniques[0]), draft.steps);
  // Earlier pages of the form may have gone the same way.
  const pattern = pathPattern(path.replaceAll(UNIQUE, uniques[0]));
  const times = sent.filter((one) => one.method === first.method && pattern.test(one.path)).length;
  return [{ do: 'expectRequest', method: first.method, path, times, oracle: 'observed' }];
}

function rejection(witnessed: Witnessed): Chosen {
  const { plan, draft } = witnessed;
  const { field = '', flag } = plan.expected;
  const seen = lastSeen(witnessed);
  const sent = sentNothing(witnessed);
  const refused = seen.invalid.find(({ key }) => key === field);
  const on = draft.fields.get(field);
  const raised = refused && (flag && refused.flags.includes(flag) ? flag : validity(refused.flags));
  const complaint = tellingLines(twice(witnessed))
    .filter((text) => !enteredBy(draft.steps).includes(text))
    .slice(0, 2);
  const flagged: Expectation[] =
    on && refused ? [{ do: 'expectInvalid', on, ...(raised && { flag: raised }), oracle: 'specified' }] : [];
  if (draft.off)
    return {
      expectations: [...flagged, { do: 'expectDisabled', on: draft.off, oracle: 'specified' }, place(witnessed)],
    };
  if (refused && sent.wasTaken)
    return notTold(`The browser refuses ${field}, and something was sent all the same: what, cannot be told.`);
  if (on && refused && !sent.wasWritten) {
    const said = isSentByScript(witnessed) ? complaint.map((text) => says(text)) : [];
    return { expectations: [...flagged, ...sent.expectations, ...said, place(witnessed)] };
  }
  const isStillThere = seen.fields.includes(field);
  if (!draft.before?.fields.includes(field))
    return notTold(`What becomes of ${field} cannot be told: it lies where the page does not let anybody look.`);
  const isComplained = complaint.length > 0 || seen.marked.includes(field);
  if (isStillThere && !isComplained && !sent.wasWritten && isSentByScript(witnessed))
    return notTold(`Nothing was sent, and the page does not say why: whether ${field} is refused cannot be told.`);
  if (!isStillThere || !isComplained)
    return contradiction(
      plan.kind === 'authored'
        ? `The site took the value of ${field}, which this case expects it to refuse.`
        : `The site took the value of ${field}, although its own constraint (${flag ?? 'required'}) forbids it.`,
    );
  if (!seen.marked.includes(field) && complaint.every((text) => isOfOthers(witnessed, text)))
    return notTold(`The page complains, and not about ${field}: ${quote(complaint.join(' '), 200)}.`);
  return {
    expectations: [
      ...(on ? [{ do: 'expectVisible' as const, on, oracle: 'specified' as const }] : []),
      ...complaint.map((text) => says(text)),
      ...(sent.wasWritten ? [] : sent.expectations),
      place(witnessed),
    ],
  };
}

/** It names another field of the form, and no word of the one that the case is about. */
function isOfOthers({ plan, evidence }: Witnessed, text: string): boolean {
  const { fields = [] } = evidence.form ?? {};
  const own = fields.find(({ key }) => key === plan.expected.field)?.label ?? '';
  const words = own.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  const isOwn = words.length === 0 || words.some((word) => text.toLowerCase().includes(word));
  return !isOwn && fields.some(({ label }) => label.length > 2 && hasWords(text, label));
}

/** A form that is a list's own fetches what it shows; one with POST says itself where it is sent to. */
function isSentByScript({ evidence }: Witnessed): boolean {
  return evidence.form !== null && evidence.form.method !== 'post' && !isListed(evidence);
}

/** That what is refused is not sent: to where the form goes, or, where a script sends it, to wherever it may. */
function sentNothing(witnessed: Witnessed) {
  const { evidence, draft, sent, baseUrl } = witnessed;
  const { form } = evidence;
  const oracle = 'specified' as const;
  const written = isSentByScript(witnessed)
    ? sent.slice(draft.requestsBefore).filter((one) => isWriting(one, baseUrl))
    : submissions(witnessed);
  const expectations: Expectation[] = isSentByScript(witnessed)
    ? [{ do: 'expectNoRequest', method: '*', path: '*', oracle }]
    : form?.method === 'post'
      ? [{ do: 'expectNoRequest', method: 'POST', path: sentTo(form, witnessed), oracle }]
      : [];
  const wasTaken = isSentByScript(witnessed) && written.some(({ status }) => status < 400);
  return { expectations, wasWritten: written.length > 0, wasTaken };
}

const flags = [
  'valueMissing',
  'tooShort',
  'typeMismatch',
  'patternMismatch',
  'rangeUnderflow',
  'rangeOverflow',
  'stepMismatch',
  'badInput',
] as const;

function validity(raised: readonly string[]) {
  return flags.find((flag) => raised.includes(flag));
}

function cut(witnessed: Witnessed): Chosen {
  const { plan, draft, evidence, second, uniques } = witnessed;
  const { held = '', field = '' } = plan.expected;
  const on = draft.fields.get(field);
  if (!on) return contradiction('The field is no longer there.');
  const [first, other] = [lastSeen(witnessed).held[field], second.seen.held[field]];
  const value = generic(first ?? '', uniques[0]);
  const most = evidence.form?.fields.find(({ key }) => key === field)?.maxLength ?? 0;
  // A script gives what is entered a form of its own, which may hold no more than the field.
  const isFormed = first !== undefined && first.length > 0 && first.length <= most && value !== held;
  if (isFormed)
    return value === generic(other ?? '', uniques[1])
      ? { expectations: [{ do: 'expectValue', on, value, oracle: 'observed' }] }
      : notTold(`A script gives ${field} a form of its own, which is another each time.`);
  return { expectations: [{ do: 'expectValue', on, value: held, oracle: 'specified' }] };
}
