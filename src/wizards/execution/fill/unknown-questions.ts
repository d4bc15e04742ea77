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

/** A question that the page answers by itself, or that is required and has no answer. */
interface UnansweredQuestion {
  name: string;
  id: string;
  field: string;
  /**
   * The option that the page has chosen; absent for a checkbox, and for a required question that the file does not
   * have.
   */
  chosen?: string;
  /** The question is a select, which always has a chosen option. */
  isList?: boolean;
}

/**
 * Warns about answers that nothing in the user data decides: required questions that the file does not have, and
 * options that the page preselects.
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

/** Whether user data answers the question, or the page shows the same choice as at the discovery. */
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

/**
 * Runs in the page: lists the required fields that the file does not have, and the options that the page preselects.
 */
function unaskedInPage({ known, given }: { known: KnownControls; given: KnownControls }): Field[] {
  const isOf = ({ ids, names }: KnownControls, { id, name }: Field) =>
    (id !== '' && ids.includes(id)) || (name !== '' && names.includes(name));
  const isOn = (element: Field) => {
    if (element instanceof HTMLInputElement)
      return (
        /^(?:checkbox|radio)$/.test(element.type) && element.checked && (element.form !== null || element.name !== '')
      );
    // A language selector and a search box are not questions of the form.
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

/** Runs in the page: reads the names of the visible controls. */
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
