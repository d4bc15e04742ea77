import { quote } from '../../../platform/errors.ts';
import { UNIQUE_TOKEN } from '../../cases/values/unique-token.ts';
import {
  hasWords,
  isWriteRequest,
  pathPattern,
  type ScriptExpectation,
  writingMethods,
} from '../model/script-steps.ts';
import { type ExpectationChoice, outcomeUnknown, siteContradiction } from '../model/written-script.ts';
import { isListUseCase } from '../record/page-observation.ts';
import { detectRejectedPrerequisite, expectAcceptance } from './accepted-submission.ts';
import { expectAccessDenied } from './access-denied.ts';
import {
  type CaseRecording,
  enteredValues,
  lastObservation,
  listSubmissions,
  observationPair,
  submissionPath,
} from './case-recording.ts';
import {
  expectObserved,
  textExpectation,
  urlExpectation,
  wildcardAssignedIds,
  withTextLocation,
} from './observed-expectations.ts';
import { assertableLines, withUniquePlaceholder } from './stable-text.ts';

/**
 * Chooses the expectations at the end of a script: those of the oracle first, then what both observations have in
 * common.
 */
export function chooseExpectations(recording: CaseRecording): ExpectationChoice {
  const { expectations, ...rest } = chooseByOutcome(recording);
  const { draft, uniques } = recording;
  return {
    ...rest,
    // A text that disappeared was there before.
    expectations: expectations.map((one) =>
      withTextLocation(one, one.do === 'expectNoText' ? draft.before : lastObservation(recording), uniques[0]),
    ),
  };
}

function chooseByOutcome(recording: CaseRecording): ExpectationChoice {
  const { outcome } = recording.plan.expected;
  if (outcome === 'rejected') return expectRejection(recording);
  if (outcome === 'cut') return expectTruncation(recording);
  if (outcome === 'refused-entry') return expectAccessDenied(recording);
  if (outcome === 'accepted') return expectAcceptance(recording);
  return (
    detectRejectedPrerequisite(recording) ?? {
      expectations: [...expectSentOnce(recording), ...expectObserved(recording)],
    }
  );
}

/** A submission that was sent once despite a double click must not be sent twice. */
function expectSentOnce({ plan, draft, sent, uniques }: CaseRecording): ScriptExpectation[] {
  if (plan.send !== 'twice') return [];
  const written = sent.slice(draft.requestsBefore).flatMap(({ method, path }) => {
    const known = writingMethods.find((one) => one === method);
    return known && path.startsWith('/') ? [{ method: known, path: path.split(/[?#]/)[0] ?? path }] : [];
  });
  const [first, ...others] = written;
  if (!first || others.length > 0) return [];
  const path = wildcardAssignedIds(withUniquePlaceholder(first.path, uniques[0]), draft.steps);
  // Earlier pages of the form may have used the same address.
  const pattern = pathPattern(path.replaceAll(UNIQUE_TOKEN, uniques[0]));
  const times = sent.filter((one) => one.method === first.method && pattern.test(one.path)).length;
  return [{ do: 'expectRequest', method: first.method, path, times, oracle: 'observed' }];
}

function expectRejection(recording: CaseRecording): ExpectationChoice {
  const { plan, draft } = recording;
  const { field = '', flag } = plan.expected;
  const seen = lastObservation(recording);
  const sent = expectNothingSent(recording);
  const refused = seen.invalid.find(({ key }) => key === field);
  const on = draft.fields.get(field);
  const raised = refused && (flag && refused.flags.includes(flag) ? flag : firstValidityFlag(refused.flags));
  const complaint = assertableLines(observationPair(recording))
    .filter((text) => !enteredValues(draft.steps).includes(text))
    .slice(0, 2);
  const flagged: ScriptExpectation[] =
    on && refused ? [{ do: 'expectInvalid', on, ...(raised && { flag: raised }), oracle: 'specified' }] : [];
  if (draft.off)
    return {
      expectations: [
        ...flagged,
        { do: 'expectDisabled', on: draft.off, oracle: 'specified' },
        urlExpectation(recording),
      ],
    };
  if (refused && sent.wasTaken)
    return outcomeUnknown(`The browser rejects ${field}, but a request was sent all the same: its content is unknown.`);
  if (on && refused && !sent.wasWritten) {
    const said = isSentByScript(recording) ? complaint.map((text) => textExpectation(text)) : [];
    return { expectations: [...flagged, ...sent.expectations, ...said, urlExpectation(recording)] };
  }
  const isStillThere = seen.fields.includes(field);
  if (!draft.before?.fields.includes(field))
    return outcomeUnknown(`The outcome for ${field} is unknown: the field is in a closed part of the page.`);
  const isComplained = complaint.length > 0 || seen.marked.includes(field);
  if (isStillThere && !isComplained && !sent.wasWritten && isSentByScript(recording))
    return outcomeUnknown(`Nothing was sent and the page does not say why: whether ${field} is rejected is unknown.`);
  if (!isStillThere || !isComplained)
    return siteContradiction(
      plan.kind === 'authored'
        ? `The site accepted the value of ${field}, which this case expects it to reject.`
        : `The site accepted the value of ${field}, although its own constraint (${flag ?? 'required'}) forbids it.`,
    );
  if (!seen.marked.includes(field) && complaint.every((text) => isAboutOtherField(recording, text)))
    return outcomeUnknown(`The page shows an error, but not about ${field}: ${quote(complaint.join(' '), 200)}.`);
  return {
    expectations: [
      ...(on ? [{ do: 'expectVisible' as const, on, oracle: 'specified' as const }] : []),
      ...complaint.map((text) => textExpectation(text)),
      ...(sent.wasWritten ? [] : sent.expectations),
      urlExpectation(recording),
    ],
  };
}

/** The message names another field of the form, and no word of the field that the case is about. */
function isAboutOtherField({ plan, evidence }: CaseRecording, text: string): boolean {
  const { fields = [] } = evidence.form ?? {};
  const own = fields.find(({ key }) => key === plan.expected.field)?.label ?? '';
  const words = own.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  const isOwn = words.length === 0 || words.some((word) => text.toLowerCase().includes(word));
  return !isOwn && fields.some(({ label }) => label.length > 2 && hasWords(text, label));
}

/** The form of a list fetches its entries; a form with POST names its own address. */
function isSentByScript({ evidence }: CaseRecording): boolean {
  return evidence.form !== null && evidence.form.method !== 'post' && !isListUseCase(evidence);
}

/**
 * Expects that a rejected form sends nothing: to its address, or, if a script submits it, to any address that writes.
 */
function expectNothingSent(recording: CaseRecording) {
  const { evidence, draft, sent, baseUrl } = recording;
  const { form } = evidence;
  const oracle = 'specified' as const;
  const written = isSentByScript(recording)
    ? sent.slice(draft.requestsBefore).filter((one) => isWriteRequest(one, baseUrl))
    : listSubmissions(recording);
  const expectations: ScriptExpectation[] = isSentByScript(recording)
    ? [{ do: 'expectNoRequest', method: '*', path: '*', oracle }]
    : form?.method === 'post'
      ? [{ do: 'expectNoRequest', method: 'POST', path: submissionPath(form, recording), oracle }]
      : [];
  const wasTaken = isSentByScript(recording) && written.some(({ status }) => status < 400);
  return { expectations, wasWritten: written.length > 0, wasTaken };
}

const comparableFlags = [
  'valueMissing',
  'tooShort',
  'typeMismatch',
  'patternMismatch',
  'rangeUnderflow',
  'rangeOverflow',
  'stepMismatch',
  'badInput',
] as const;

function firstValidityFlag(raised: readonly string[]) {
  return comparableFlags.find((flag) => raised.includes(flag));
}

function expectTruncation(recording: CaseRecording): ExpectationChoice {
  const { plan, draft, evidence, second, uniques } = recording;
  const { held: expectedValue = '', field = '' } = plan.expected;
  const on = draft.fields.get(field);
  if (!on) return siteContradiction('The field no longer exists on the page.');
  const [first, other] = [lastObservation(recording).fieldValues[field], second.seen.fieldValues[field]];
  const value = withUniquePlaceholder(first ?? '', uniques[0]);
  const most = evidence.form?.fields.find(({ key }) => key === field)?.maxLength ?? 0;
  // A page script may put the field into a form of its own that contains nothing else.
  const isFormed = first !== undefined && first.length > 0 && first.length <= most && value !== expectedValue;
  if (isFormed)
    return value === withUniquePlaceholder(other ?? '', uniques[1])
      ? { expectations: [{ do: 'expectValue', on, value, oracle: 'observed' }] }
      : outcomeUnknown(`A script of the page formats ${field} differently each time.`);
  return { expectations: [{ do: 'expectValue', on, value: expectedValue, oracle: 'specified' }] };
}
