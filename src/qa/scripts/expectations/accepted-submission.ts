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

/** Expectations for a correctly filled form, which the site accepted both times. */
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

/** The unique token did not fit into the field that decides. */
function isValueMaybeTaken({ plan, evidence }: CaseRecording): boolean {
  const field = evidence.form?.fields.find(({ key }) => key === plan.expected.field);
  const value = field && plan.values[field.key];
  return (
    field !== undefined && value?.includes(UNIQUE_TOKEN) === false && validValue(field)?.includes(UNIQUE_TOKEN) === true
  );
}

/** Whether a submission was not accepted although the constraints of the form are met. */
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
  // After an accepted submission, another page opens or the form is empty.
  const isFormRedisplayed = answer?.method === 'POST' && expectKeptValues(recording).length > 0;
  if (alert !== undefined && isFormRedisplayed)
    return siteContradiction(
      `The page shows the form again with an alert although its constraints are met: ${quote(alert, 200)}.`,
    );
  return detectFormRedisplay(recording, sending);
}

/** The results of a rejected form, or of a second submission, say nothing about an accepted one. */
export function detectRejectedPrerequisite(recording: CaseRecording): ExpectationChoice | undefined {
  const { plan } = recording;
  if (plan.kind !== 'state' || plan.send === 'none') return undefined;
  const wrong =
    plan.send === 'twice' ? detectFormRedisplay(recording, findFormSubmission(recording)) : detectRejection(recording);
  return (
    wrong && outcomeUnknown(`The submission was not accepted, so its result cannot be tested. ${wrong.failure?.reason}`)
  );
}

/** The value may be allowed only once, such as a user name. */
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

/** Numbers and codes differ in each run. */
function maskNumbers(text: string): string {
  return text.replaceAll(/\S*\d\S*/g, '#');
}
