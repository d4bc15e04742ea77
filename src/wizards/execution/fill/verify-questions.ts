import { quote } from '../../../platform/errors.ts';
import type { ControlContext } from '../../../platform/page/in-page/control-context.ts';
import { datePartFields, fieldFormat, writtenDatePart } from '../../files/field-traits.ts';
import type { Surroundings, WizardField } from '../../files/wizard-schema.ts';
import { answerValues, type WizardAnswer } from '../../validation/answers.ts';
import { readAnswer, readDateGroup } from '../../validation/read-answer.ts';
import { foldText } from '../../validation/read-values.ts';
import { isFieldAsked } from '../../validation/visibility.ts';
import { headingStopWords } from '../../vocabulary/field-labels.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { otherUnit, otherUnitBeside } from './amount-units.ts';
import type { FieldFilling } from './fill-fields.ts';
import { isFoundByName } from './verify-controls.ts';

/** Whether what stands around a field can say that it is not the same any more. */
export const hasQuestion = ({ field }: Pick<FieldFilling, 'field'>) =>
  field.surroundings !== undefined || (field.options?.length ?? 0) > 0;

/**
 * An element of the same name may be an answer to another question: "Yes" to the opposite, an income under another heading.
 * Where the page says something else around it than at its discovery, it is not filled in. Another hint is told.
 */
export function throwIfOtherQuestion(
  run: WizardRun,
  { field }: Pick<FieldFilling, 'field'>,
  around: ControlContext | undefined,
): void {
  if (!around || !hasQuestion({ field })) return;
  const { surroundings: known = {} } = field;
  const other = otherQuestion(run, field, known, around);
  if (other !== undefined) {
    const now = other ? `now belongs to ${quote(run.redactor.pageText(other), 120)}` : 'now has no question';
    throw changedQuestionError(run, field, now);
  }
  throwIfOtherHeading(run, field, known.heading, around);
  if (isOtherOrder(known.placeholder, around.placeholder))
    throw changedQuestionError(run, field, `now has the date format ${quote(around.placeholder, 40)}`);
  const unitSaid = otherUnitSaid(field, known, around);
  if (unitSaid !== undefined)
    throw changedQuestionError(
      run,
      field,
      `now has another unit, by its hint ${quote(run.redactor.pageText(unitSaid), 120)}`,
    );
  // Some count the letters that are left.
  const uncounted = (text: string) => plain(text).replaceAll(/\d+/g, '0');
  const hasHint = around.hint !== '' || around.beside === '';
  if (known.hint !== undefined && hasHint && uncounted(known.hint) !== uncounted(around.hint))
    warnAboutHint(run, field, around.hint);
}

/**
 * What stands under a heading is about that: the same occupation is another's under "About your spouse". A heading may also
 * depend on an answer; where one of those before it that may decide that is not that of the discovery, it is only told.
 */
function throwIfOtherHeading(run: WizardRun, field: AnyField, known: string | undefined, now: ControlContext): void {
  const isSame = now.headings.some((each) => subject(each) === subject(known ?? ''));
  if (known === undefined || now.headings.length === 0 || isSame) return;
  const said = quote(run.redactor.pageText(now.heading), 120);
  if (!hasOtherAnswers(run, field)) throw changedQuestionError(run, field, `is now under the heading ${said}`);
  const { field_id, label = field_id } = field;
  warnOnce(
    run,
    `${quote(label)} on page ${run.pageNumber} is under the heading ${said}; at the discovery it was under ${quote(known)}.`,
  );
}

const stopWords = new Set(headingStopWords.en);

/** What a heading is about, without its numbers and the words that only address somebody. */
const subject = (heading: string) =>
  (plain(heading).match(/\p{L}+/gu) ?? [])
    .filter((word) => !stopWords.has(word))
    .map((word) => word.replace(/(?<=\p{L}{3})s$/u, ''))
    .join(' ');

/** Whether something before a field was answered otherwise than at its discovery, or left out: a choice, a date, a number. */
function hasOtherAnswers(run: WizardRun, field: AnyField): boolean {
  const fields = run.stored.wizard.pages.slice(0, run.pageNumber).flatMap((page) => page.fields);
  const at = fields.findIndex((each) =>
    [each, ...(each.sub_fields ?? [])].some((one) => one.field_id === field.field_id),
  );
  return fields.slice(0, Math.max(0, at)).some((each) => {
    const given = run.answers.get(each.field_id);
    if (!decides(each) || (!given && !isFieldAsked(each, run.answers))) return false;
    return wordsOf(given) !== wordsOf(exampleIn(each));
  });
}

/** Who somebody is, how old, and how much they have: a name or another free text makes no other heading. */
const decides = (field: WizardField) =>
  !field.repeatable &&
  (['radio', 'select', 'checkbox'].includes(field.field_type) ||
    ['date', 'money', 'number', 'yes_no'].includes(fieldFormat(field)) ||
    datePartFields(field) !== undefined ||
    writtenDatePart(field) !== undefined);

/** The answer at the discovery, in the form's own terms. */
function exampleIn(field: WizardField): WizardAnswer | undefined {
  const { example_value: example, field_type } = field;
  if (example === '' || example === null) return undefined;
  return (field_type === 'group' ? readDateGroup(field, example) : readAnswer(field, example))?.answer;
}

/** What is not switched on is as good as left out. */
function wordsOf(answer: WizardAnswer | undefined): string {
  if (answer?.kind === 'switch') return answer.on ? 'on' : '';
  return answer ? foldText(answerValues(answer).join(', ')) : '';
}

/** The words that ask for another unit than at its discovery. */
function otherUnitSaid(
  field: AnyField,
  { hint, placeholder, question, name }: Surroundings,
  now: ControlContext,
): string | undefined {
  const beside = [question, name, field.label].join(' ');
  if (placeholder !== undefined && otherUnit(placeholder, now.placeholder, beside)) return now.placeholder;
  if (hint === undefined) return undefined;
  if (now.hint === '') return otherUnitBeside(hint, now.beside) && now.beside;
  return otherUnit(hint, now.hint, beside) && now.hint;
}

type AnyField = FieldFilling['field'];

/** What it belongs to by now, where that is something else. */
function otherQuestion(run: WizardRun, field: AnyField, known: Surroundings, now: ControlContext): string | undefined {
  const { name, question } = known;
  if (question !== undefined && plain(question) !== plain(now.question)) return now.question;
  if (name !== undefined && !isFoundByName(field) && plain(name) !== plain(now.name)) return now.name;
  for (const part of ['heading', 'row'] as const)
    if (known[part] && plain(known[part]) !== plain(now[part]) && hasTwin(run, field, known, part)) return now[part];
  if (question !== undefined) return undefined;
  // A file that knows no question has words of its own for it; but they may be those of another.
  const isAnothers = fieldsOf(run).some(({ label }) => plain(label) === plain(now.question));
  const isOwn = plain(field.label ?? '') === plain(now.question);
  return now.question !== '' && isAnothers && !isOwn ? now.question : undefined;
}

const fieldsOf = ({ stored }: WizardRun): WizardField[] => stored.wizard.pages.flatMap(({ fields }) => fields);

/** Another field that the page calls the same, under another heading or in another row. */
function hasTwin(run: WizardRun, field: AnyField, known: Surroundings, part: 'heading' | 'row'): boolean {
  const called = calledIn(known);
  return fieldsOf(run).some(
    ({ field_id, surroundings: other = {} }) =>
      field_id !== field.field_id &&
      called !== '' &&
      calledIn(other) === called &&
      plain(other[part] ?? '') !== plain(known[part] ?? ''),
  );
}

/** Choices and dates are called by their question. */
const calledIn = ({ name, question }: Surroundings) => plain(name ?? question ?? '');

/** Signs at the end, that it must or need not be answered, and how many there are left, do not make another question. */
const plain = (text: string) =>
  foldText(text)
    .replaceAll(/\((?:required|optional)\)/g, '')
    .replaceAll(/\(\d+ (?:\w+ )?(?:open|available|left|remaining|free|selected|places|seats|slots|offices)\)/g, '')
    .replaceAll(/[\s:*?.…]+$|^[\s*]+/g, '');

/** Whether two texts show how a date is written, in two ways: MM/DD/YYYY and DD/MM/YYYY. */
function isOtherOrder(before: string | undefined, now: string): boolean {
  const orderOf = (text: string) => {
    const parts = /^([dmy])\1*[\s/.-]+([dmy])\2*[\s/.-]+([dmy])\3*$/i.exec(text.trim());
    return parts ? parts.slice(1).join('').toLowerCase() : undefined;
  };
  const was = orderOf(before ?? '');
  const is = orderOf(now);
  return was !== undefined && is !== undefined && was !== is;
}

function changedQuestionError(run: WizardRun, { field_id, label = field_id }: AnyField, what: string): Error {
  return runError(
    'selector_not_found',
    `${quote(label)} (${field_id}) on page ${run.pageNumber} ${what}, so the question has changed.`,
    {
      field_id,
      technical_details: 'ELEMENT_CHANGED',
    },
  );
}

function warnAboutHint(run: WizardRun, { field_id, label = field_id }: AnyField, hint: string): void {
  const said = hint ? quote(run.redactor.pageText(hint), 120) : 'empty';
  warnOnce(
    run,
    `The hint of ${quote(label)} on page ${run.pageNumber} has changed since the discovery; it is now ${said}.`,
  );
}

function warnOnce({ warnings }: WizardRun, note: string): void {
  if (!warnings.includes(note)) warnings.push(note);
}
