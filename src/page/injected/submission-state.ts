import { nameOf } from './accessibility.ts';
import { ofDocument, ofElement, queryRoots, type Root, rootsOf, textNodes } from './dom.ts';
import { fieldBox, isErrorColour } from './field-errors.ts';
import { shownText } from './text.ts';
import { attribute, focusedElement, matches } from './tree.ts';
import { isVisible } from './visibility.ts';

/** What a document shows of a submission, beside its controls. */
export interface SubmissionState {
  /** When the document began: another number is another document. */
  document: number;
  /** What can be read, line by line. */
  lines: string[];
  /** Those that the page sets off in the colour of errors. */
  warnings: string[];
  /** Fields that the browser refuses, as a person is shown: touched, or focused because of it. */
  refused: { name: string; message: string }[];
  /** What stands beside each field, apart from its label. */
  notes: { name: string; text: string }[];
  /** Visible buttons that send a form by POST, outside of header, navigation and footer. */
  postButtons: string[];
  asksPassword: boolean;
}

const MAX_LINES = 2_000;
const MAX_TEXT = 200_000;
const MAX_COLOURED = 1_000;
const FIELDS = 'input:not([type=hidden], [type=submit], [type=button], [type=image], [type=reset]), select, textarea';
/** Status regions count characters and the like. */
const NO_NOTE = 'label, legend, button, a, input, select, textarea, output, [role="status"], [aria-live="polite"]';

export function readSubmissionState(_: null): SubmissionState {
  const roots = rootsOf(document);
  const fields = queryRoots(roots, FIELDS).filter(isVisible);
  return {
    document: performance.timeOrigin,
    lines: [...new Set(roots.flatMap(linesOf))].slice(0, MAX_LINES),
    warnings: [...new Set(roots.flatMap(warningsIn))],
    refused: refusedFields(fields),
    notes: fieldNotes(fields),
    postButtons: queryRoots(roots, 'button, input[type=submit], input[type=image]').filter(isPosting).map(buttonName),
    asksPassword: fields.some((field) => matches(field, '[type=password]')),
  };
}

function linesOf(root: Root): string[] {
  const parts = root instanceof ShadowRoot ? [...root.children] : [ofDocument(root, 'body')];
  return parts.flatMap((part) => (part ? shownLines(part) : []));
}

/** Elements of frames belong to classes of another window. */
const shownLines = (element: Element) =>
  String(Reflect.get(element, 'innerText') ?? '')
    .slice(0, MAX_TEXT)
    .split('\n')
    .map(oneLine)
    .filter(Boolean);

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Texts in the colour of errors. One letter is the mark of a required field. */
function warningsIn(root: Root): string[] {
  const body = root instanceof ShadowRoot ? root : ofDocument(root, 'body');
  if (!body) return [];
  const parents = new Set(textNodes(body, MAX_COLOURED).map(({ parentElement }) => parentElement));
  return [...parents].flatMap((parent) => {
    if (!parent || !isVisible(parent) || !isErrorColour(getComputedStyle(parent).color)) return [];
    const text = oneLine(parent.textContent ?? '');
    return text.length > 2 && !ofElement(parent, 'closest')('label, legend, a, button') ? [text.slice(0, 500)] : [];
  });
}

function refusedFields(fields: readonly Element[]): SubmissionState['refused'] {
  const focused = focusedElement();
  return fields.flatMap((field) => {
    if (!matches(field, ':invalid') || !(matches(field, ':user-invalid') || field === focused)) return [];
    const message = String(Reflect.get(field, 'validationMessage') ?? '');
    return [{ name: fieldName(field), message }];
  });
}

function fieldNotes(fields: readonly Element[]): SubmissionState['notes'] {
  return fields.flatMap((field) => {
    const box = fieldBox([field]);
    const text = box ? shownText(box, 300, (inner) => matches(inner, NO_NOTE)) : '';
    return text === '' ? [] : [{ name: fieldName(field), text }];
  });
}

const fieldName = (field: Element) => nameOf(field) || attribute(field, 'name') || attribute(field, 'id') || '';

function isPosting(element: Element): boolean {
  const button = element as HTMLButtonElement;
  const form = button.form;
  if (!form || button.type === 'button' || button.type === 'reset' || !isVisible(button)) return false;
  if ((ofElement(form, 'getAttribute')('method') ?? '').toLowerCase() !== 'post') return false;
  return ofElement(form, 'closest')('header, nav, footer, aside, [role=search]') === null;
}

const buttonName = (element: Element) =>
  oneLine(Reflect.get(element, 'innerText') || Reflect.get(element, 'value') || '').slice(0, 200);
