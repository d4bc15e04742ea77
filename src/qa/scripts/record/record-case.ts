import { Failure, quote } from '../../../platform/errors.ts';
import type { Control, PageReading } from '../../../platform/page/page-model.ts';
import type { CasePlan } from '../../cases/case-plan.ts';
import { ANY_OPTION_TOKEN, PAGE_WORD_TOKEN } from '../../cases/values/field-values.ts';
import type { ReplaySession } from '../../replay/session/replay-session.ts';
import type { FormEvidence, FormField, UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { type ElementTarget, pathPattern, pathWithin, type ScriptAction } from '../model/script-steps.ts';
import { pageVocabulary } from '../page-vocabulary.ts';
import { recordFirstOption } from './choose-option.ts';
import { findDisabledSubmit } from './disabled-submit.ts';
import { stepsToSetField, toElementTarget } from './field-steps.ts';
import { recordFollowingPages } from './following-pages.ts';
import { controlFromEvidence, limitToForm, matchCaseField, matchClickable } from './match-controls.ts';
import { isListUseCase } from './page-observation.ts';
import { createScriptRecorder, newScriptDraft, type ScriptDraft, type ScriptRecorder } from './script-recorder.ts';
import { findWordWithHits, needsSearchWord } from './search-word.ts';
import { withStableLocators } from './stable-locator.ts';
import { recordTypeaheadChoice } from './typeahead.ts';
import { findUsablePage } from './usable-page.ts';

/** A case that depends on others, with their steps. */
export interface CaseAssignment {
  plan: CasePlan;
  evidence: UseCaseEvidence;
  before: PrecedingCase[];
  /** Other cases of the project change the entries of its page. */
  isLiving: boolean;
}

interface PrecedingCase {
  plan: CasePlan;
  evidence: UseCaseEvidence;
  /** Number of pages to fill in, if the form is not completed. */
  pages?: number;
}

/**
 * Performs a plan in a live page and records every step. A double click submits the first page of a form, or one of the
 * following pages.
 */
export async function recordCase(
  session: ReplaySession,
  { plan, evidence, before }: CaseAssignment,
  sentTwice = plan.send === 'twice' ? 0 : undefined,
): Promise<ScriptDraft> {
  const draft = newScriptDraft();
  const recorder = createScriptRecorder(session, draft, isListUseCase(evidence));
  const signsIn = [plan, ...before.map((one) => one.plan)].some(({ signIn }) => signIn);
  if (signsIn) await recordSignIn(recorder, [evidence, ...before.map((one) => one.evidence)]);
  for (const one of before) await recordPlan(recorder, one.plan, one.evidence, { pages: one.pages });
  draft.laterPages = await recordPlan(recorder, plan, evidence, { sentTwice });
  return draft;
}

async function recordSignIn(recorder: ScriptRecorder, all: readonly UseCaseEvidence[]): Promise<void> {
  const known = all.find((evidence) => evidence.signIn)?.signIn;
  if (!known)
    throw new Failure(
      'bad_input',
      'NO_SIGN_IN',
      'The page requires a login, and no sign-in is known. Add secrets with qa_secret_create and scan again.',
    );
  await recordOpening(recorder, known.url);
  const fields = [known.username, known.password];
  let page = await recorder.read();
  const at = (field: FormField) =>
    toElementTarget(matchCaseField(limitToForm(page, { fields, action: '' }), field) ?? controlFromEvidence(field));
  await recorder.record({ do: 'fillSecret', on: at(known.username), secret: known.usernameSecret });
  if (known.next !== undefined) {
    await recordSubmit(recorder, page, { fields, action: '', submit: known.next }, known.username, { times: 1 });
    page = await recorder.read();
  }
  await recorder.record({ do: 'fillSecret', on: at(known.password), secret: known.passwordSecret });
  await recordSubmit(recorder, page, { fields, action: '', submit: known.submit }, known.password, { times: 1 });
}

/** Opens a page. Answers the cookie dialog, because it covers the controls. */
async function recordOpening(recorder: ScriptRecorder, url: string, answersConsent = true): Promise<void> {
  await recorder.recordTransition({ do: 'goto', url: pathWithin(url, recorder.baseUrl) });
  if (!answersConsent || !pageVocabulary.cookieDialog.test(JSON.stringify(recorder.draft.points.at(-1)?.seen.lines)))
    return;
  const { controls } = await recorder.read();
  const answers = controls.filter(({ kind, visible, form }) => kind === 'button' && visible && !form);
  const answer =
    answers.find(({ name }) => pageVocabulary.rejectCookies.test(name)) ??
    answers.find(({ name }) => pageVocabulary.acceptCookies.test(name));
  if (answer) await recorder.recordDismissal({ do: 'click', on: toElementTarget(answer), times: 1 });
}

/** Opens the page of the scan, or a usable one of the same kind. */
async function recordOpeningUsablePage(
  recorder: ScriptRecorder,
  entry: string,
  evidence: UseCaseEvidence,
): Promise<void> {
  const { draft } = recorder;
  const [steps, points] = [draft.steps.length, draft.points.length];
  const answersConsent = evidence.class !== 'consent';
  await recordOpening(recorder, entry, answersConsent);
  const opened = recorder.page().url();
  const userName = evidence.signIn ? recorder.secret(evidence.signIn.usernameSecret) : undefined;
  const better = await findUsablePage(recorder.page(), evidence, userName);
  if (better === undefined) {
    if (recorder.page().url() !== opened) await recorder.page().goto(opened);
    return;
  }
  draft.steps.length = steps;
  draft.points.length = points;
  await recordOpening(recorder, better, answersConsent);
}

interface PlanOptions {
  sentTwice?: number | undefined;
  pages?: number | undefined;
}

/** Reports which pages followed the first one. */
async function recordPlan(
  recorder: ScriptRecorder,
  plan: CasePlan,
  evidence: UseCaseEvidence,
  { sentTwice, pages }: PlanOptions,
): Promise<FormEvidence[]> {
  if (plan.stays) requireOwnRecord(recorder, evidence);
  else if (plan.page > 0) await requireFormPage(recorder, plan, evidence);
  else if (plan.kind === 'session') await recordOpening(recorder, plan.entry);
  else await recordOpeningUsablePage(recorder, plan.entry, evidence);
  if (plan.control !== null) await recordControlUse(recorder, evidence, plan.control);
  else if (plan.kind !== 'session' && plan.page === 0) await recordFormOpening(recorder, evidence);
  const fields = evidence.form?.fields ?? [];
  const word = needsSearchWord(plan) ? await findWordWithHits(recorder, plan, evidence) : '';
  const page = await recorder.read();
  const reading = evidence.form ? limitToForm(page, evidence.form) : page;
  const url = recorder.page().url();
  let last: FormField | undefined;
  const turning = plan.send === 'none' && plan.kind !== 'field' ? undefined : findTriggeringField(plan, evidence);
  for (const field of fields) {
    const control = matchCaseField(reading, field);
    if (control) recorder.rememberField(field.key, validityTarget(control));
    if (control?.form) recorder.draft.action = URL.parse(control.form.action || url, url)?.href;
    if (await recordField(recorder, plan, field, control, field === turning, word)) last = field;
  }
  if (turning) recorder.draft.decisive ??= recorder.draft.steps.at(-1);
  else if (plan.send !== 'none' && evidence.form)
    await recordSubmit(recorder, page, evidence.form, last ?? fields[0], {
      times: sentTwice === 0 ? 2 : 1,
      ...(evidence.class === 'delete' && { confirms: true }),
      ...(plan.unchecked && { unchecked: true }),
      ...(plan.expected.outcome === 'rejected' && !plan.unchecked && { refused: plan }),
    });
  const later = plan.goesOn
    ? await recordFollowingPages(recorder, { from: page, sentTwice, most: pages === undefined ? pages : pages - 1 })
    : [];
  for (const what of plan.after) await recorder.recordTransition({ do: what });
  if (!/^https?:/.test(recorder.page().url()))
    throw new Failure(
      'site_failed',
      'NO_PAGE_BEFORE',
      'Submitting the form opened no page, so there is none to go back to.',
    );
  return later;
}

/** The earlier pages led to another page, because the site was changed or rejects the values. */
async function requireFormPage(recorder: ScriptRecorder, { page }: CasePlan, { form }: UseCaseEvidence): Promise<void> {
  const reading = await recorder.read();
  if (form?.fields.some((field) => matchCaseField(reading, field)?.visible)) return;
  throw new Failure('site_failed', 'NO_PAGE', `Page ${page + 1} of the form did not follow the pages before it.`);
}

/** An action on a record may damage it, so it must be the new record, on a page of the kind that was scanned. */
function requireOwnRecord({ draft, page, unique }: ScriptRecorder, { state }: UseCaseEvidence): void {
  const pattern = pathPattern(state.template.replaceAll(/:\w+/g, '*'));
  const isOfKind = pattern.test(new URL(page().url()).pathname);
  const isOwn = draft.points.at(-1)?.seen.lines.some(({ text }) => text.includes(unique));
  if (isOfKind && isOwn) return;
  throw new Failure(
    'site_failed',
    'NOT_OWN',
    'The record that the test created is not on the page that deletes it, so nothing was deleted.',
  );
}

/** A form that is not on its page at first is opened by the clicks of the scan. */
async function recordFormOpening(recorder: ScriptRecorder, { form, steps }: UseCaseEvidence): Promise<void> {
  const shown = form?.fields.filter(({ hidden }) => !hidden) ?? [];
  const clicks = steps.slice(steps.findLastIndex(({ action }) => action === 'navigate') + 1);
  for (const { target } of clicks) {
    const reading = await recorder.read();
    if (!target || shown.length === 0 || shown.some((field) => matchCaseField(reading, field)?.visible)) return;
    const control = matchClickable(reading, target) ?? { ...target, nameAttribute: null };
    await recorder.recordTransition({ do: 'click', on: toElementTarget(control), times: 1 });
  }
}

async function recordControlUse(recorder: ScriptRecorder, evidence: UseCaseEvidence, index: number): Promise<void> {
  const control = evidence.controls[index];
  if (!control)
    throw new Failure(
      'bad_input',
      'NO_CONTROL',
      'The use case no longer has this control: detect test cases again with qa_workflow_start_test_case_detection.',
    );
  const reading = await recorder.read();
  const found = matchClickable(reading, control);
  const on = toElementTarget(found ? withStableLocators(found, reading) : { ...control, nameAttribute: null });
  await recorder.recordTransition({ do: 'click', on, times: 1 });
}

/** A radio button stands for its group. */
function validityTarget(control: Control): ElementTarget {
  const [option] = control.options;
  return control.kind === 'radio-group' && option
    ? { name: control.name, ladder: option.ladder }
    : toElementTarget(control);
}

/** The field that changes the page by itself: its value is the outcome, or setting it submits the form. */
function findTriggeringField({ values, expected, send }: CasePlan, { form }: UseCaseEvidence): FormField | undefined {
  if (!form) return undefined;
  if (send === 'none') return form.fields.find(({ key }) => key === expected.field);
  if (form.submit !== null) return undefined;
  const last = form.fields.findLast(({ key }) => key in values);
  const isSentByItself = form.method === 'script' || ['select', 'radio-group', 'checkbox'].includes(last?.kind ?? '');
  return isSentByItself ? last : undefined;
}

async function recordField(
  recorder: ScriptRecorder,
  plan: CasePlan,
  field: FormField,
  control: Control | undefined,
  turns: boolean,
  word: string,
): Promise<boolean> {
  const { key } = field;
  const secret = plan.secrets[key];
  const value = plan.values[key]?.replaceAll(PAGE_WORD_TOKEN, word);
  if (secret === undefined && value === undefined) return false;
  if (!control) throw new Failure('site_failed', 'NO_FIELD', `The page no longer has the field ${quote(field.label)}.`);
  if (secret !== undefined) await recorder.record({ do: 'fillSecret', on: toElementTarget(control), secret });
  else if (value === ANY_OPTION_TOKEN) await recordFirstOption(recorder, field);
  else if (value !== undefined && plan.expected.field !== key && (await recordTypeaheadChoice(recorder, control)))
    return true;
  else if (value !== undefined)
    for (const step of stepsToSetField(control, value, { typed: plan.typed.includes(key) }))
      await (turns ? recorder.recordTransition(step, { isAwaited: plan.send !== 'none' }) : recorder.record(step));
  return true;
}

interface SubmitOptions extends Pick<Extract<ScriptAction, { do: 'click' }>, 'times' | 'confirms' | 'unchecked'> {
  /** The plan, if its input is invalid, which may disable the button. */
  refused?: CasePlan;
}

/** Submits by the button, or else with the Enter key in the last filled field. */
async function recordSubmit(
  recorder: ScriptRecorder,
  page: PageReading,
  form: Pick<FormEvidence, 'fields' | 'action' | 'submit'>,
  last: FormField | undefined,
  { refused, ...how }: SubmitOptions,
): Promise<void> {
  const own = limitToForm(page, form);
  const { submit } = form;
  if (submit) {
    const button = matchClickable(own, submit);
    const { ladder } = button ? withStableLocators(button, page) : submit;
    const off = refused && (await findDisabledSubmit(recorder, refused, form, submit));
    if (off) return recorder.endAtDisabledButton(toElementTarget(off));
    return recorder.recordTransition({
      do: 'click',
      on: toElementTarget({ name: submit.name, nameAttribute: null, ladder }),
      ...how,
    });
  }
  if (last)
    await recorder.recordTransition({
      do: 'press',
      on: toElementTarget(matchCaseField(own, last) ?? controlFromEvidence(last)),
      key: 'Enter',
    });
}
