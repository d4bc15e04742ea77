import { quote } from '../../../platform/errors.ts';
import { type ControlContextTools, controlContextTools } from '../../../platform/page/in-page/control-context.ts';
import { type NameTools, nameTools } from '../../../platform/page/in-page/name-tools.ts';
import type { WizardField, WizardPage } from '../../files/wizard-schema.ts';
import { foldText } from '../../validation/read-values.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { guardedFrames } from '../submit/guarded-click.ts';

interface KnownControls {
  ids: string[];
  names: string[];
}

/** A question that has an answer by the page itself, or none although it must have one. */
interface UnansweredQuestion {
  name: string;
  id: string;
  field: string;
  /** What the page has chosen; a box is only on. Missing where an answer is required and the file does not know the question. */
  chosen?: string;
  /** Of a list there is always something chosen. */
  isList?: boolean;
}

/**
 * What goes out with a page without anybody having said so: what it must be told and the file does not know, and what the page
 * has switched on or chosen by itself.
 */
export async function warnAboutUnknownQuestions(run: WizardRun, page: WizardPage): Promise<void> {
  const isGiven = ({ field_id }: WizardField) => run.answers.has(field_id);
  const known = controlsOf(page.fields);
  const given = controlsOf(page.fields.filter(isGiven));
  const work = `(${describeInPage})(open, names, (${controlContextTools})(names))`;
  const script = `((open) => open.length === 0 ? [] : ((names) => ${work})((${nameTools})()))((${unaskedInPage})(${JSON.stringify({ known, given })}))`;
  const found = await Promise.all(
    guardedFrames(run).map((frame) => frame.evaluate<UnansweredQuestion[]>(script).catch(() => [])),
  );
  const unasked = found.flat().filter(({ name }) => name !== '');
  const labels = new Set(page.fields.flatMap(labelsOf));
  const open = unasked.filter(({ name, chosen }) => chosen === undefined && !labels.has(foldText(name)));
  warn(
    run,
    `Page ${run.pageNumber} has required questions that the file does not have; they were left unchanged`,
    open,
  );
  const chosen = unasked.filter((one) => one.chosen !== undefined && !isExpected(one, page.fields, isGiven));
  warn(
    run,
    `Page ${run.pageNumber} has preselected answers that user data does not mention; they were left unchanged`,
    chosen,
  );
}

function warn(run: WizardRun, what: string, unasked: readonly UnansweredQuestion[]): void {
  const described = unasked.map(({ name, chosen }) =>
    quote(run.redactor.pageText(chosen ? `${name}: ${chosen}` : name), 120),
  );
  if (described.length > 0) run.warnings.push(`${what}: ${[...new Set(described)].join(', ')}`);
}

/** Somebody has answered it, or it is chosen as it was when the form was discovered. */
function isExpected(
  { name, id, field: sentAs, chosen = '', isList = false }: UnansweredQuestion,
  fields: readonly WizardField[],
  isGiven: (field: WizardField) => boolean,
): boolean {
  const own = fields.filter((field) => {
    const { ids, names } = controlsOf([field]);
    return ids.includes(id) || names.includes(sentAs) || labelsOf(field).includes(foldText(name));
  });
  if (own.some(isGiven) || (isList && own.length > 0)) return true;
  return (
    chosen !== '' &&
    own.some(({ example_value, options = [] }) => {
      const example = foldText(String(example_value));
      const option = options.find(({ value, label }) => [value, label].map(foldText).includes(example));
      return [example, foldText(option?.label ?? '')].includes(foldText(chosen));
    })
  );
}

function controlsOf(fields: readonly WizardField[]): KnownControls {
  const ways = JSON.stringify(fields);
  return {
    ids: [...ways.matchAll(/#([\w-]+)/g)].flatMap(([, id]) => id ?? []),
    names: [...ways.matchAll(/\[name=\\"([^"\\]+)\\"\]/g)].flatMap(([, name]) => name ?? []),
  };
}

function labelsOf(field: WizardField): string[] {
  return [field, ...(field.sub_fields ?? [])]
    .flatMap(({ label = '', surroundings, options = [] }) => [
      label,
      surroundings?.name ?? '',
      surroundings?.question ?? '',
      ...options.map((option) => option.label),
    ])
    .map(foldText)
    .filter(Boolean);
}

type Field = HTMLInputElement | HTMLSelectElement;

/** In the page: the fields that must be filled in and that the file does not know, and what is on or chosen by itself. */
function unaskedInPage({ known, given }: { known: KnownControls; given: KnownControls }): Field[] {
  const isOf = ({ ids, names }: KnownControls, { id, name }: Field) =>
    (id !== '' && ids.includes(id)) || (name !== '' && names.includes(name));
  const isOn = (element: Field) => {
    if (element instanceof HTMLInputElement)
      return (
        /^(?:checkbox|radio)$/.test(element.type) && element.checked && (element.form !== null || element.name !== '')
      );
    // What a site is shown in, or looked through by, is no question of the form's.
    const others: readonly unknown[] = element.form ? [...element.form.elements] : [];
    return (
      element.value !== '' &&
      !isOf(known, element) &&
      others.some(
        (other) => (other instanceof HTMLInputElement || other instanceof HTMLSelectElement) && isOf(known, other),
      )
    );
  };
  const needsAnswer = (element: Field) => {
    if (!element.matches('[required],[aria-required=true]') || isOf(known, element)) return false;
    return element.type !== 'radio' || !document.querySelector(`[name=${CSS.escape(element.name)}]:checked`);
  };
  const all = document.querySelectorAll<Field>(
    ':is(input,select,textarea):is([required],[aria-required=true]),:checked,select',
  );
  return [...all].filter(
    (element) =>
      element.localName !== 'option' &&
      !element.matches(':disabled,[readonly]') &&
      !element.closest('[role=search],search') &&
      (isOn(element) ? !isOf(given, element) : needsAnswer(element)),
  );
}

/** In the page: what those are called that can be seen. */
function describeInPage(
  open: readonly Field[],
  { nameOf, isSeen, labelsOf: labels, wordsBefore }: NameTools,
  { aroundOf }: ControlContextTools,
): UnansweredQuestion[] {
  return open
    .filter((element) => [element, ...labels(element)].some(isSeen))
    .slice(0, 20)
    .map((element) => {
      const { id, name: field, type } = element;
      const own = nameOf(element) || wordsBefore(element);
      const name = type === 'radio' ? aroundOf(element).question : own;
      if (element instanceof HTMLSelectElement)
        return element.matches('[required],[aria-required=true]') && element.value === ''
          ? { name, id, field }
          : { name, id, field, chosen: element.selectedOptions[0]?.label ?? '', isList: true };
      if (type === 'checkbox' && element.checked) return { name, id, field, chosen: '' };
      return type === 'radio' && element.checked ? { name, id, field, chosen: own } : { name, id, field };
    });
}
