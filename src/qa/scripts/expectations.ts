import { UNIQUE } from '../cases/unique.ts';
import { acceptance } from './acceptance.ts';
import { type Expectation, pathPattern, pathWithin } from './model.ts';
import { observed, place, says, withoutGiven } from './observed.ts';
import { refusedEntry } from './refused-entry.ts';
import { generic, tellingLines } from './texts.ts';
import { lastSeen, submissions, twice, type Witnessed } from './witnessed.ts';
import { type Chosen, contradiction } from './written.ts';

/** What the script expects at its end: what the oracle demands, then what both looks have in common. */
export function chooseExpectations(witnessed: Witnessed): Chosen {
  const { outcome } = witnessed.plan.expected;
  if (outcome === 'rejected') return rejection(witnessed);
  if (outcome === 'cut') return cut(witnessed);
  if (outcome === 'refused-entry') return refusedEntry(witnessed);
  if (outcome === 'accepted') return acceptance(witnessed);
  return { expectations: [...sentOnce(witnessed), ...observed(witnessed)] };
}

const writing = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** What went out once, though it was sent with a double click, must not go out twice. */
function sentOnce({ plan, draft, sent, uniques }: Witnessed): Expectation[] {
  if (plan.send !== 'twice') return [];
  const written = sent.slice(draft.requestsBefore).flatMap(({ method, path }) => {
    const known = writing.find((one) => one === method);
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
  const { plan, draft, evidence, baseUrl } = witnessed;
  const { field = '', flag } = plan.expected;
  const seen = lastSeen(witnessed);
  const refused = seen.invalid.find(({ key }) => key === field);
  const on = draft.fields.get(field);
  const raised = refused && (flag && refused.flags.includes(flag) ? flag : validity(refused.flags));
  if (on && refused && submissions(witnessed).length === 0) {
    const expectations: Expectation[] = [
      { do: 'expectInvalid', on, ...(raised && { flag: raised }), oracle: 'specified' },
    ];
    if (evidence.form && evidence.form.method === 'post')
      expectations.push({
        do: 'expectNoRequest',
        method: 'POST',
        path: pathWithin(evidence.form.action, baseUrl),
        oracle: 'specified',
      });
    return { expectations: [...expectations, place(witnessed)] };
  }
  const isStillThere = seen.fields.includes(field);
  const complaint = tellingLines(twice(witnessed)).slice(0, 2);
  if (!isStillThere || (complaint.length === 0 && !seen.marked.includes(field)))
    return contradiction(
      `The site took the value of ${field}, although its own constraint (${flag ?? 'required'}) forbids it.`,
    );
  return {
    expectations: [
      ...(on ? [{ do: 'expectVisible' as const, on, oracle: 'specified' as const }] : []),
      ...complaint.map((text) => says(text)),
      place(witnessed),
    ],
  };
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

function cut({ plan, draft }: Witnessed): Chosen {
  const on = draft.fields.get(plan.expected.field ?? '');
  const { held = '' } = plan.expected;
  if (!on) return contradiction('The field is no longer there.');
  return { expectations: [{ do: 'expectValue', on, value: held, oracle: 'specified' }] };
}
