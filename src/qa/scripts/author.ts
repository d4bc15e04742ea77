import { Failure, quote } from '../../platform/errors.ts';
import type { Control, PageReading } from '../../platform/page/model.ts';
import type { CasePlan } from '../cases/model.ts';
import { ANY_OPTION, WORD_OF_THE_PAGE } from '../cases/values.ts';
import type { Stage } from '../replay/stage.ts';
import type { FormEvidence, FormField, UseCaseEvidence } from '../scan/evidence.ts';
import { keptOff } from './button-off.ts';
import { chooseLive } from './choose-live.ts';
import { betterExample } from './example.ts';
import { goOn } from './go-on.ts';
import { lastingly } from './lasting.ts';
import { asControl, match, matchClickable, ownPart } from './match.ts';
import { type Action, type Place, pathPattern, pathWithin } from './model.ts';
import { isListed } from './observe.ts';
import { type Draft, newDraft, type Pen, penFor } from './pen.ts';
import { takeProposal } from './proposals.ts';
import { needsWord, wordWithHits } from './search-word.ts';
import { placeOf, stepsToSet } from './write-steps.ts';

/** A case that builds on others brings along what they need. */
export interface Assignment {
  plan: CasePlan;
  evidence: UseCaseEvidence;
  before: Earlier[];
  /** Others of the project change what its page lists. */
  isLiving: boolean;
}

interface Earlier {
  plan: CasePlan;
  evidence: UseCaseEvidence;
  /** As many pages of it, where it is not to be carried out to its end. */
  pages?: number;
}

/**
 * Carries a plan out in a live page, and writes down every step as it is done. What is sent with a double click is the
 * first page of a form, or one of those that follow.
 */
export async function author(
  stage: Stage,
  { plan, evidence, before }: Assignment,
  sentTwice = plan.send === 'twice' ? 0 : undefined,
): Promise<Draft> {
  const draft = newDraft();
  const pen = penFor(stage, draft, isListed(evidence));
  const signsIn = [plan, ...before.map((one) => one.plan)].some(({ signIn }) => signIn);
  if (signsIn) await signIn(pen, [evidence, ...before.map((one) => one.evidence)]);
  for (const one of before) await carryOut(pen, one.plan, one.evidence, { pages: one.pages });
  draft.laterPages = await carryOut(pen, plan, evidence, { sentTwice });
  return draft;
}

async function signIn(pen: Pen, all: readonly UseCaseEvidence[]): Promise<void> {
  const known = all.find((evidence) => evidence.signIn)?.signIn;
  if (!known)
    throw new Failure(
      'bad_input',
      'NO_SIGN_IN',
      'It lies behind a login, and no way to sign in is known. Add secrets for it and scan again.',
    );
  await open(pen, known.url);
  const fields = [known.username, known.password];
  let page = await pen.read();
  const at = (field: FormField) => placeOf(match(ownPart(page, { fields, action: '' }), field) ?? asControl(field));
  await pen.write({ do: 'fillSecret', on: at(known.username), secret: known.usernameSecret });
  if (known.next !== undefined) {
    await send(pen, page, { fields, action: '', submit: known.next }, known.username, { times: 1 });
    page = await pen.read();
  }
  await pen.write({ do: 'fillSecret', on: at(known.password), secret: known.passwordSecret });
  await send(pen, page, { fields, action: '', submit: known.submit }, known.password, { times: 1 });
}

/** Opens a page. What asks about cookies is answered, since it lies over what is to be used. */
async function open(pen: Pen, url: string, answersConsent = true): Promise<void> {
  await pen.turn({ do: 'goto', url: pathWithin(url, pen.baseUrl) });
  if (!answersConsent || !/cookie|consent/i.test(JSON.stringify(pen.draft.points.at(-1)?.seen.lines))) return;
  const { controls } = await pen.read();
  const answers = controls.filter(({ kind, visible, form }) => kind === 'button' && visible && !form);
  const answer = answers.find(({ name }) => refusal.test(name)) ?? answers.find(({ name }) => consent.test(name));
  if (answer) await pen.clear({ do: 'click', on: placeOf(answer), times: 1 });
}

/** Opens the page that the scan has seen, or one of its kind that can be used. */
async function openExample(pen: Pen, entry: string, evidence: UseCaseEvidence): Promise<void> {
  const { draft } = pen;
  const [steps, points] = [draft.steps.length, draft.points.length];
  const answersConsent = evidence.class !== 'consent';
  await open(pen, entry, answersConsent);
  const opened = pen.page().url();
  const userName = evidence.signIn ? pen.secret(evidence.signIn.usernameSecret) : undefined;
  const better = await betterExample(pen.page(), evidence, userName);
  if (better === undefined) {
    if (pen.page().url() !== opened) await pen.page().goto(opened);
    return;
  }
  draft.steps.length = steps;
  draft.points.length = points;
  await open(pen, better, answersConsent);
}

const refusal = /^(only necessary|necessary only|reject|decline|refuse|no,? thanks)/i;
const consent = /^(accept|agree|allow|got it|ok\b|i understand)/i;

interface CarryingOut {
  sentTwice?: number | undefined;
  pages?: number | undefined;
}

/** Says which pages followed the first. */
async function carryOut(
  pen: Pen,
  plan: CasePlan,
  evidence: UseCaseEvidence,
  { sentTwice, pages }: CarryingOut,
): Promise<FormEvidence[]> {
  if (plan.stays) checkOwn(pen, evidence);
  else if (plan.page > 0) await checkPage(pen, plan, evidence);
  else if (plan.kind === 'session') await open(pen, plan.entry);
  else await openExample(pen, plan.entry, evidence);
  if (plan.control !== null) await useControl(pen, evidence, plan.control);
  else if (plan.kind !== 'session' && plan.page === 0) await openForm(pen, evidence);
  const fields = evidence.form?.fields ?? [];
  const word = needsWord(plan) ? await wordWithHits(pen, plan, evidence) : '';
  const page = await pen.read();
  const reading = evidence.form ? ownPart(page, evidence.form) : page;
  const url = pen.page().url();
  let last: FormField | undefined;
  const turning = plan.send === 'none' && plan.kind !== 'field' ? undefined : turningField(plan, evidence);
  for (const field of fields) {
    const control = match(reading, field);
    if (control) pen.note(field.key, decidingPlace(control));
    if (control?.form) pen.draft.action = URL.parse(control.form.action || url, url)?.href;
    if (await fillField(pen, plan, field, control, field === turning, word)) last = field;
  }
  if (turning) pen.draft.decisive ??= pen.draft.steps.at(-1);
  else if (plan.send !== 'none' && evidence.form)
    await send(pen, page, evidence.form, last ?? fields[0], {
      times: sentTwice === 0 ? 2 : 1,
      ...(evidence.class === 'delete' && { confirms: true }),
      ...(plan.unchecked && { unchecked: true }),
      ...(plan.expected.outcome === 'rejected' && !plan.unchecked && { refused: plan }),
    });
  const later = plan.goesOn
    ? await goOn(pen, { from: page, sentTwice, most: pages === undefined ? pages : pages - 1 })
    : [];
  for (const what of plan.after) await pen.turn({ do: what });
  if (!/^https?:/.test(pen.page().url()))
    throw new Failure('site_failed', 'NO_PAGE_BEFORE', 'Sending it opened no page, so there is none to go back to.');
  return later;
}

/** The pages before it have led to another one, where the site was changed, or does not take them. */
async function checkPage(pen: Pen, { page }: CasePlan, { form }: UseCaseEvidence): Promise<void> {
  const reading = await pen.read();
  if (form?.fields.some((field) => match(reading, field)?.visible)) return;
  throw new Failure('site_failed', 'NO_PAGE', `Page ${page + 1} of the form does not come after those before it.`);
}

/** What is done to a record may harm it: it must be the one that was just made, on a page of the kind that was seen. */
function checkOwn({ draft, page, unique }: Pen, { state }: UseCaseEvidence): void {
  const pattern = pathPattern(state.template.replaceAll(/:\w+/g, '*'));
  const isOfKind = pattern.test(new URL(page().url()).pathname);
  const isOwn = draft.points.at(-1)?.seen.lines.some(({ text }) => text.includes(unique));
  if (isOfKind && isOwn) return;
  throw new Failure('site_failed', 'NOT_OWN', 'What the test made is not where it would be deleted, so nothing is.');
}

/** A form that is not there when its page opens is opened as the scan has opened it: by clicks. */
async function openForm(pen: Pen, { form, steps }: UseCaseEvidence): Promise<void> {
  const shown = form?.fields.filter(({ hidden }) => !hidden) ?? [];
  const clicks = steps.slice(steps.findLastIndex(({ action }) => action === 'navigate') + 1);
  for (const { target } of clicks) {
    const reading = await pen.read();
    if (!target || shown.length === 0 || shown.some((field) => match(reading, field)?.visible)) return;
    const control = matchClickable(reading, target) ?? { ...target, nameAttribute: null };
    await pen.turn({ do: 'click', on: placeOf(control), times: 1 });
  }
}

async function useControl(pen: Pen, evidence: UseCaseEvidence, index: number): Promise<void> {
  const control = evidence.controls[index];
  if (!control)
    throw new Failure(
      'bad_input',
      'NO_CONTROL',
      'The use case no longer has this control: detect its test cases again.',
    );
  const reading = await pen.read();
  const found = matchClickable(reading, control);
  const on = placeOf(found ? lastingly(found, reading) : { ...control, nameAttribute: null });
  await pen.turn({ do: 'click', on, times: 1 });
}

/** A radio button of a group speaks for all of them. */
function decidingPlace(control: Control): Place {
  const [option] = control.options;
  return control.kind === 'radio-group' && option ? { name: control.name, ladder: option.ladder } : placeOf(control);
}

/** The field that itself changes the page: what it holds is the outcome, or setting it sends the form. */
function turningField({ values, expected, send }: CasePlan, { form }: UseCaseEvidence): FormField | undefined {
  if (!form) return undefined;
  if (send === 'none') return form.fields.find(({ key }) => key === expected.field);
  if (form.submit !== null) return undefined;
  const last = form.fields.findLast(({ key }) => key in values);
  const isSentByItself = form.method === 'script' || ['select', 'radio-group', 'checkbox'].includes(last?.kind ?? '');
  return isSentByItself ? last : undefined;
}

async function fillField(
  pen: Pen,
  plan: CasePlan,
  field: FormField,
  control: Control | undefined,
  turns: boolean,
  word: string,
): Promise<boolean> {
  const { key } = field;
  const secret = plan.secrets[key];
  const value = plan.values[key]?.replaceAll(WORD_OF_THE_PAGE, word);
  if (secret === undefined && value === undefined) return false;
  if (!control) throw new Failure('site_failed', 'NO_FIELD', `The page no longer has the field ${quote(field.label)}.`);
  if (secret !== undefined) await pen.write({ do: 'fillSecret', on: placeOf(control), secret });
  else if (value === ANY_OPTION) await chooseLive(pen, field);
  else if (value !== undefined && plan.expected.field !== key && (await takeProposal(pen, control))) return true;
  else if (value !== undefined)
    for (const step of stepsToSet(control, value, { typed: plan.typed.includes(key) }))
      await (turns ? pen.turn(step, { isAwaited: plan.send !== 'none' }) : pen.write(step));
  return true;
}

interface Sending extends Pick<Extract<Action, { do: 'click' }>, 'times' | 'confirms' | 'unchecked'> {
  /** The plan, where what it enters is wrong: that may keep the button from being clicked. */
  refused?: CasePlan;
}

/** By its button; without one by the Enter key in the field that was filled last. */
async function send(
  pen: Pen,
  page: PageReading,
  form: Pick<FormEvidence, 'fields' | 'action' | 'submit'>,
  last: FormField | undefined,
  { refused, ...how }: Sending,
): Promise<void> {
  const own = ownPart(page, form);
  const { submit } = form;
  if (submit) {
    const button = matchClickable(own, submit);
    const { ladder } = button ? lastingly(button, page) : submit;
    const off = refused && (await keptOff(pen, refused, form, submit));
    if (off) return pen.end(placeOf(off));
    return pen.turn({ do: 'click', on: placeOf({ name: submit.name, nameAttribute: null, ladder }), ...how });
  }
  if (last) await pen.turn({ do: 'press', on: placeOf(match(own, last) ?? asControl(last)), key: 'Enter' });
}
