import { quote } from '../../../platform/errors.ts';
import { type ExpectationChoice, notCarriedOut } from '../model/written-script.ts';
import type { CaseRecording } from './case-recording.ts';
import { findFormSubmission } from './form-redisplay.ts';

/**
 * A login form that is shown again rejected the login, whatever its status and with or without a reason. Pages are never
 * searched for secrets, so nothing else shows the rejection. Most often the secrets are wrong, not the site.
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
