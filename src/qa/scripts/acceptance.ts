import { quote } from '../../platform/errors.ts';
import { UNIQUE } from '../cases/unique.ts';
import { validValue } from '../cases/values.ts';
import { askedAgain, sendingOf } from './asked-again.ts';
import { type Expectation, pathWithin } from './model.ts';
import { keptValues, observed, says } from './observed.ts';
import { tellsOutcome } from './telling.ts';
import { generic } from './texts.ts';
import { lastSeen, sentTo, submissions, type Witnessed } from './witnessed.ts';
import { type Chosen, contradiction, notCarriedOut, notRepeatable, notTold } from './written.ts';

/** The form was filled in as it should be: the site takes it, both times. */
export function acceptance(witnessed: Witnessed): Chosen {
  const { plan, evidence, draft, baseUrl } = witnessed;
  const wrong = refusal(witnessed) ?? secondRefusal(witnessed);
  if (wrong) return mayBeTaken(witnessed) ? notRepeatable(`${wrong.failure?.reason} ${TAKEN}`) : wrong;
  const seen = lastSeen(witnessed);
  const missing = plan.expected.says.find((text) => !seen.lines.some((line) => line.text.includes(text)));
  if (missing !== undefined) return contradiction(`A requirement promises “${missing}”, and the page does not say it.`);
  const posts = submissions(witnessed);
  const request: Expectation[] =
    evidence.form?.method === 'post' && posts.some(({ status }) => status > 0 && status < 400) && !plan.goesOn
      ? [{ do: 'expectRequest', method: 'POST', path: sentTo(evidence.form, witnessed), oracle: 'specified' }]
      : [];
  const said = plan.expected.says.map((text) => says(text, 'specified'));
  const expectations = [...request, ...said, ...keptValues(witnessed), ...observed(witnessed)];
  const from = draft.before && pathWithin(draft.before.url, baseUrl);
  if (request.length > 0 && !expectations.some((one) => tellsOutcome(one, from)))
    return {
      expectations,
      failure: { kind: 'too weak', reason: 'Only its own request tells that it was sent: the page says nothing new.' },
    };
  return { expectations };
}

const TAKEN = 'So short a value cannot be another each time, and may have been used before.';

/** What makes a value unlike all others had no room in the field that decides. */
function mayBeTaken({ plan, evidence }: Witnessed): boolean {
  const field = evidence.form?.fields.find(({ key }) => key === plan.expected.field);
  const value = field && plan.values[field.key];
  return field !== undefined && value?.includes(UNIQUE) === false && validValue(field)?.includes(UNIQUE) === true;
}

/** Whether what was sent was not taken, though the form's own constraints are kept. */
function refusal(witnessed: Witnessed): Chosen | undefined {
  const { plan, evidence } = witnessed;
  const sending = sendingOf(witnessed);
  const { before, after, requests } = sending;
  const answer = requests.findLast(({ opensPage }) => opensPage);
  const isSent = evidence.form?.method !== 'post' || plan.goesOn || submissions(witnessed, requests).length > 0;
  // Where it has led on, other forms stand, which nobody has filled in yet.
  const own = before?.url === after.url ? (evidence.form?.fields.map(({ key }) => key) ?? []) : [];
  const refused = after.invalid.find(({ key }) => own.includes(key));
  if (!isSent && refused) {
    const how = `${refused.key} (${refused.flags.join(', ')})`;
    return plan.kind === 'authored'
      ? notCarriedOut(`The page's own constraints refuse the data of this case: ${how}. Mend it, or expect "rejected".`)
      : contradiction(`The page refuses what its constraints allow: ${how}.`);
  }
  if (answer && answer.status >= 400) return contradiction(`Valid data was answered with ${answer.status}.`);
  if (after.marked.length > 0)
    return contradiction(`The page marks as wrong what its constraints allow: ${after.marked.join(', ')}.`);
  const alert = after.alerts.find((text) => !before?.alerts.includes(text));
  // What is taken leads on, or the form is empty again.
  const isAskedAgain = answer?.method === 'POST' && keptValues(witnessed).length > 0;
  if (alert !== undefined && isAskedAgain)
    return contradiction(
      `The page shows the form again, and an alert, where its constraints are kept: ${quote(alert, 200)}.`,
    );
  return askedAgain(witnessed, sending);
}

/** What comes after a form that was not taken, or of sending it twice, says nothing about one that was. */
export function unfounded(witnessed: Witnessed): Chosen | undefined {
  const { plan } = witnessed;
  if (plan.kind !== 'state' || plan.send === 'none') return undefined;
  const wrong = plan.send === 'twice' ? askedAgain(witnessed, sendingOf(witnessed)) : refusal(witnessed);
  return wrong && notTold(`What was sent was not taken, so nothing can be built on it. ${wrong.failure?.reason}`);
}

/** A name that may be taken only once, for example. */
function secondRefusal(witnessed: Witnessed): Chosen | undefined {
  const { second, uniques } = witnessed;
  const first = lastSeen(witnessed);
  if (second.seen.marked.length > 0)
    return notRepeatable(`It was taken the first time, and not the second: ${second.seen.marked.join(', ')}.`);
  const said = first.lines.map(({ text }) => withoutNumbers(generic(text, uniques[0])));
  const alert = second.seen.alerts.find((text) => !said.includes(withoutNumbers(generic(text, uniques[1]))));
  return alert === undefined
    ? undefined
    : notRepeatable(`It was taken the first time; the second time the page said ${quote(alert, 200)}.`);
}

/** Numbers and codes are others each time. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\S*\d\S*/g, '#');
}
