import { quote } from '../../../platform/errors.ts';
import { type ExpectationChoice, notCarriedOut } from '../model/written-script.ts';
import type { CaseRecording } from './case-recording.ts';
import { findFormSubmission } from './form-redisplay.ts';

/**
 * A login that asks again has let nobody in, whatever its answer is called and whether or not it says why. Secrets are
 * never looked for in what a page holds, so nothing else would tell. Most often they are wrong, which is not the site's fault.
 */
export function detectLoginRejection(recording: CaseRecording): ExpectationChoice | undefined {
  const { plan, evidence } = recording;
  const password = evidence.form?.fields.find(({ kind }) => kind === 'password');
  if (evidence.class !== 'login' || !password || !(password.key in plan.secrets) || plan.kind === 'field') return;
  const { before, after } = findFormSubmission(recording);
  if (!after.hasPasswordField || !Object.keys(plan.secrets).every((key) => after.fields.includes(key))) return;
  const known = before?.lines.map(({ text }) => text) ?? [];
  const said = after.lines.find(({ text }) => !known.includes(text) && !after.names.includes(text));
  const names = [...new Set(Object.values(plan.secrets))].join(' and ');
  return notCarriedOut(
    `The login form returned after ${names} were entered${said ? `, and says ${quote(said.text, 200)}` : ''}. If they are wrong, correct them with qa_secret_update and generate the script again.`,
  );
}
