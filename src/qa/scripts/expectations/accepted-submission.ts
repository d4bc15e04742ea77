import { quote } from '../../../platform/errors.ts';
import { validValue } from '../../cases/values/field-values.ts';
import { UNIQUE_TOKEN } from '../../cases/values/unique-token.ts';
import { isOutcomeAssertion } from '../assertion-quality/outcome-assertion.ts';
import { pathWithin, type ScriptExpectation } from '../model/script-steps.ts';
import {
  type ExpectationChoice,
  notCarriedOut,
  notRepeatable,
  outcomeUnknown,
  siteContradiction,
} from '../model/written-script.ts';
import { type CaseRecording, lastObservation, listSubmissions, submissionPath } from './case-recording.ts';
import { detectFormRedisplay, findFormSubmission } from './form-redisplay.ts';
import { expectKeptValues, expectObserved, textExpectation } from './observed-expectations.ts';
import { withUniquePlaceholder } from './stable-text.ts';

/** The form was filled in as it should be: the site takes it, both times. */
export function expectAcceptance(recording: CaseRecording): ExpectationChoice {
  const { plan, evidence, draft, baseUrl } = recording;
  const wrong = detectRejection(recording) ?? detectSecondRejection(recording);
  if (wrong) return isValueMaybeTaken(recording) ? notRepeatable(`${wrong.failure?.reason} ${MAYBE_TAKEN}`) : wrong;
  const seen = lastObservation(recording);
  const missing = plan.expected.says.find((text) => !seen.lines.some((line) => line.text.includes(text)));
  if (missing !== undefined)
    return siteContradiction(`A requirement promises “${missing}”, but the page does not show it.`);
  const posts = listSubmissions(recording);
  const request: ScriptExpectation[] =
    evidence.form?.method === 'post' && posts.some(({ status }) => status > 0 && status < 400) && !plan.goesOn
      ? [{ do: 'expectRequest', method: 'POST', path: submissionPath(evidence.form, recording), oracle: 'specified' }]
      : [];
  const said = plan.expected.says.map((text) => textExpectation(text, 'specified'));
  const expectations = [...request, ...said, ...expectKeptValues(recording), ...expectObserved(recording)];
  const from = draft.before && pathWithin(draft.before.url, baseUrl);
  if (request.length > 0 && !expectations.some((one) => isOutcomeAssertion(one, from)))
    return {
      expectations,
      failure: {
        kind: 'too weak',
        reason: 'Only the request shows that the form was sent: the page shows nothing new.',
      },
    };
  return { expectations };
}

const MAYBE_TAKEN = 'The value is too short to be unique and may have been used before.';

/** What makes a value unlike all others had no room in the field that decides. */
function isValueMaybeTaken({ plan, evidence }: CaseRecording): boolean {
  const field = evidence.form?.fields.find(({ key }) => key === plan.expected.field);
  const value = field && plan.values[field.key];
  return (
    field !== undefined && value?.includes(UNIQUE_TOKEN) === false && validValue(field)?.includes(UNIQUE_TOKEN) === true
  );
}

/** Whether what was sent was not taken, though the form's own constraints are kept. */
function detectRejection(recording: CaseRecording): ExpectationChoice | undefined {
  const { plan, evidence } = recording;
  const sending = findFormSubmission(recording);
  const { before, after, requests } = sending;
  const answer = requests.findLast(({ opensPage }) => opensPage);
  const isSent = evidence.form?.method !== 'post' || plan.goesOn || listSubmissions(recording, requests).length > 0;
  // A following page may have forms of its own that are still empty.
  const own = before?.url === after.url ? (evidence.form?.fields.map(({ key }) => key) ?? []) : [];
  const refused = after.invalid.find(({ key }) => own.includes(key));
  if (!isSent && refused) {
    const how = `${refused.key} (${refused.flags.join(', ')})`;
    return plan.kind === 'authored'
      ? notCarriedOut(
          `The constraints of the page reject the data of this case: ${how}. Fix the data, or set outcome to "rejected".`,
        )
      : siteContradiction(`The page rejects data that its constraints allow: ${how}.`);
  }
  if (answer && answer.status >= 400)
    return siteContradiction(`The site answered valid data with status ${answer.status}.`);
  if (after.marked.length > 0)
    return siteContradiction(
      `The page marks fields as invalid although their constraints are met: ${after.marked.join(', ')}.`,
    );
  const alert = after.alerts.find((text) => !before?.alerts.includes(text));
  // What is taken leads on, or the form is empty again.
  const isFormRedisplayed = answer?.method === 'POST' && expectKeptValues(recording).length > 0;
  if (alert !== undefined && isFormRedisplayed)
    return siteContradiction(
      `The page shows the form again with an alert although its constraints are met: ${quote(alert, 200)}.`,
    );
  return detectFormRedisplay(recording, sending);
}

/** What comes after a form that was not taken, or of sending it twice, says nothing about one that was. */
export function detectRejectedPrerequisite(recording: CaseRecording): ExpectationChoice | undefined {
  const { plan } = recording;
  if (plan.kind !== 'state' || plan.send === 'none') return undefined;
  const wrong =
    plan.send === 'twice' ? detectFormRedisplay(recording, findFormSubmission(recording)) : detectRejection(recording);
  return (
    wrong && outcomeUnknown(`The submission was not accepted, so its result cannot be tested. ${wrong.failure?.reason}`)
  );
}

/** A name that may be taken only once, for example. */
function detectSecondRejection(recording: CaseRecording): ExpectationChoice | undefined {
  const { second, uniques } = recording;
  const first = lastObservation(recording);
  if (second.seen.marked.length > 0)
    return notRepeatable(
      `The submission was accepted the first time but not the second: ${second.seen.marked.join(', ')}.`,
    );
  const said = first.lines.map(({ text }) => maskNumbers(withUniquePlaceholder(text, uniques[0])));
  const alert = second.seen.alerts.find((text) => !said.includes(maskNumbers(withUniquePlaceholder(text, uniques[1]))));
  return alert === undefined
    ? undefined
    : notRepeatable(
        `The submission was accepted the first time; the second time the page showed ${quote(alert, 200)}.`,
      );
}

/** Numbers and codes are others each time. */
function maskNumbers(text: string): string {
  return text.replaceAll(/\S*\d\S*/g, '#');
}
