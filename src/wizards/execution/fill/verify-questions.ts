import { quote } from '../../../platform/errors.ts';
import type { ControlContext } from '../../../platform/page/in-page/control-context.ts';
import { phrasesOf } from '../../../platform/text/phrase-table.ts';
import { datePartFields, fieldFormat, writtenDatePart } from '../../files/field-traits.ts';
import type { Surroundings, WizardField } from '../../files/wizard-schema.ts';
import { answerValues, type WizardAnswer } from '../../validation/answers.ts';
import { readAnswer, readDateGroup } from '../../validation/read-answer.ts';
import { foldText } from '../../validation/read-values.ts';
import { isFieldAsked } from '../../validation/visibility.ts';
import { headingStopWords, remainingCount, requirementMark } from '../../vocabulary/field-labels.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { otherUnit, otherUnitBeside } from './amount-units.ts';
import type { FieldFilling } from './fill-fields.ts';
import { isFoundByName } from './verify-controls.ts';

/** Whether the file knows enough of the text around a field to detect a changed question. */
export const hasQuestion = ({ field }: Pick<FieldFilling, 'field'>) =>
  field.surroundings !== undefined || (field.options?.length ?? 0) > 0;

/**
 * Fails if the text around a field differs from the discovery. An element with the same name may answer another
 * question: "Yes" to the opposite, or an income under another heading. A changed hint only causes a warning.
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
  // A hint may count the remaining characters.
  const uncounted = (text: string) => plain(text).replaceAll(/\d+/g, '0');
  const hasHint = around.hint !== '' || around.beside === '';
  if (known.hint !== undefined && hasHint && uncounted(known.hint) !== uncounted(around.hint))
    warnAboutHint(run, field, around.hint);
}

/**
 * Fails if a field is under another heading: under "About your spouse", "Occupation" asks for another person. A heading
 * may depend on an earlier answer. If such an answer differs from the discovery, the new heading only causes a warning.
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

/** The subject of a heading, without numbers and words of address. */
const subject = (heading: string) =>
  (plain(heading).match(/\p{L}+/gu) ?? [])
    .filter((word) => !stopWords.has(word))
    .map((word) => word.replace(/(?<=\p{L}{3})s$/u, ''))
    .join(' ');

/** Whether a choice, a date or a number before the field differs from the discovery, or has no answer. */
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

/** Whether an answer to the field may change a heading: a name or another free text does not. */
const decides = (field: WizardField) =>
  !field.repeatable &&
  (['radio', 'select', 'checkbox'].includes(field.field_type) ||
    ['date', 'money', 'number', 'yes_no'].includes(fieldFormat(field)) ||
    datePartFields(field) !== undefined ||
    writtenDatePart(field) !== undefined);

/** The answer at the discovery, in the terms of the form. */
function exampleIn(field: WizardField): WizardAnswer | undefined {
  const { example_value: example, field_type } = field;
  if (example === '' || example === null) return undefined;
  return (field_type === 'group' ? readDateGroup(field, example) : readAnswer(field, example))?.answer;
}

/** An option that is off counts like a missing answer. */
function wordsOf(answer: WizardAnswer | undefined): string {
  if (answer?.kind === 'switch') return answer.on ? 'on' : '';
  return answer ? foldText(answerValues(answer).join(', ')) : '';
}

/** The hint that names another unit than at the discovery. */
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

/** The question that the field belongs to now, if it is another one. */
function otherQuestion(run: WizardRun, field: AnyField, known: Surroundings, now: ControlContext): string | undefined {
  const { name, question } = known;
  if (question !== undefined && plain(question) !== plain(now.question)) return now.question;
  if (name !== undefined && !isFoundByName(field) && plain(name) !== plain(now.name)) return now.name;
  for (const part of ['heading', 'row'] as const)
    if (known[part] && plain(known[part]) !== plain(now[part]) && hasTwin(run, field, known, part)) return now[part];
  if (question !== undefined) return undefined;
  // A file without questions has labels of its author, but the question on the page may be the label of another field.
  const isAnothers = fieldsOf(run).some(({ label }) => plain(label) === plain(now.question));
  const isOwn = plain(field.label ?? '') === plain(now.question);
  return now.question !== '' && isAnothers && !isOwn ? now.question : undefined;
}

const fieldsOf = ({ stored }: WizardRun): WizardField[] => stored.wizard.pages.flatMap(({ fields }) => fields);

/** Whether the page gives another field the same name, under another heading or in another row. */
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

/** The name of a choice or a date is its question. */
const calledIn = ({ name, question }: Surroundings) => plain(name ?? question ?? '');

const marks = new RegExp(`\\((?:${phrasesOf(requirementMark)})\\)`, 'g');
const counts = new RegExp(`\\(\\d+ (?:\\w+ )?(?:${phrasesOf(remainingCount)})\\)`, 'g');

/**
 * Normalizes a text: marks for required and optional, and the number of remaining characters, do not make another
 * question.
 */
const plain = (text: string) =>
  foldText(text)
    .replaceAll(marks, '')
    .replaceAll(counts, '')
    .replaceAll(/[\s:*?.…]+$|^[\s*]+/g, '');

/** Whether two texts show different date orders, such as MM/DD/YYYY and DD/MM/YYYY. */
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
