/** A form of a fixture site, as data: the server renders it, checks what is sent, and records what it accepted. */

export interface Loan {
  loan_type: string;
  loan_interest_rate: number;
  loan_balance: number;
}

export type Answer = string | number | boolean | Loan[];
/** The values that the server read, by key: amounts and counts as numbers, ticks as booleans, choices by value. */
export type Answers = Record<string, Answer>;

export interface Choice {
  value: string;
  label: string;
  id: string;
}

type FieldKind =
  | 'text'
  | 'textarea'
  | 'number'
  | 'money'
  | 'select'
  /** Radios as browsers draw them. */
  | 'radios'
  /** Radios that are not displayed; their labels are cards, with the text once for the ear and once for the eye. */
  | 'cards'
  | 'checkbox'
  /** A search box with suggestions from the server; only a chosen suggestion counts. */
  | 'typeahead'
  /** A list to which entries are added one by one, each saved on its own. */
  | 'loans';

export interface Field {
  /** The name in the record, whatever the page calls it. */
  key: string;
  id: string;
  name: string;
  label: string;
  kind: FieldKind;
  hint?: string;
  /** Neighbours with the same legend share a fieldset. */
  legend?: string;
  choices?: Choice[];
  optional?: boolean;
  /** Shown only after another question was answered: by this value, or by any. */
  showWhen?: { key: string; is?: string };
  /** Ticking it takes the ticks of its neighbours away, and the other way round. */
  excludesOthers?: boolean;
  /** The form of one row, of a list to which entries are added. */
  row?: RowForm;
  /** The error message of the site for a value. */
  check?: (value: Answer, all: Answers) => string | undefined;
}

interface RowInput {
  id: string;
  label: string;
}

/** The questions of each loan, and how the site stores them. */
export interface RowForm {
  type: RowInput;
  rate: RowInput;
  balance: RowInput;
  /** The text of its button. Default: "Add a loan". */
  title?: string;
  /** A required question that is not part of the record. */
  more?: RowInput;
  keep?: (loans: readonly Loan[]) => Loan[];
}

export interface Page {
  path: string;
  title: string;
  intro?: string;
  fields: Field[];
  button: { id?: string; text: string };
}

/** One way in which a site changed since its wizard was discovered. */
export type Drift =
  | 'renamed-id'
  | 'changed-label'
  | 'moved-field'
  | 'moved-to-other-page'
  | 'new-required-field'
  | 'removed-option'
  | 'interstitial'
  /** Another question with a similar name is next to a field and has its id. */
  | 'look-alike'
  /** Two fields have each other's ids. */
  | 'swapped-ids'
  /** Two answers of one question have each other's ids. */
  | 'swapped-options'
  /** Another question is above the same answers; their names, labels and ids are unchanged. */
  | 'changed-question'
  /** The same amount is asked for in another unit, and only its hint says so. */
  | 'unit-change'
  /** A script of the page changes a value while the form is being sent. */
  | 'submit-handler'
  /** The same within the row of a repeatable group. */
  | 'rows-renamed-id'
  | 'rows-changed-label'
  | 'rows-new-required-field'
  | 'rows-removed-option'
  | 'rows-look-alike'
  | 'rows-swapped-ids'
  | 'rows-changed-question'
  /** The site keeps a rounded value of a row, and shows it. */
  | 'rows-rounded'
  /** The site keeps the last row only. */
  | 'rows-lost';

/** Named results: what the page shows and what a run must report. */
export type Results = Record<string, string | number>;

export interface FormDefinition {
  /** The service's name, in the header and in every title. */
  service: string;
  /** The first path, with its start button. Without one the first page opens at once. */
  landing?: { path: string; text: string; button: { id: string; text: string } };
  pages: Page[];
  /** The page (from 1) after which a notice without questions follows. */
  noticeAfter?: number;
  results: {
    path: string;
    title: string;
    of(answers: Answers): Results;
    render(results: Results): string;
  };
  /**
   * How the browser gets on: `load` navigates, `swap` fetches the next page and swaps it in, `script` sends JSON and draws
   * the result below the form, `redraw` does so from a form that is drawn anew on every input.
   */
  manner: 'load' | 'swap' | 'script' | 'redraw';
  /** The name of an input that a script of the page changes while the form is being sent. */
  meddlesWith?: string;
  /** The path of the page that has the form in a frame. */
  frame?: { path: string; title: string; around: string };
}

export function fieldOf(pages: readonly Page[], key: string): Field {
  const field = pages.flatMap(({ fields }) => fields).find((each) => each.key === key);
  if (!field) throw new Error(`no field ${key}`);
  return field;
}

export function pageOf(pages: readonly Page[], key: string): Page {
  const page = pages.find(({ fields }) => fields.some((each) => each.key === key));
  if (!page) throw new Error(`no page with ${key}`);
  return page;
}

/** Moves a field before the field with the given key, on any page. */
export function moveBefore(pages: readonly Page[], key: string, before: string): void {
  const field = fieldOf(pages, key);
  const from = pageOf(pages, key);
  from.fields = from.fields.filter((each) => each !== field);
  insertBefore(pages, field, before);
}

export function insertBefore(pages: readonly Page[], field: Field, before: string): void {
  const to = pageOf(pages, before);
  to.fields = to.fields.toSpliced(to.fields.indexOf(fieldOf(pages, before)), 0, field);
}

/** Gives two fields each other's id and name: a locator that still resolves now points at the other one. */
export function swapIdentity(one: Field, other: Field): void {
  [one.id, other.id] = [other.id, one.id];
  [one.name, other.name] = [other.name, one.name];
}

export function rename(field: Field, to: string): void {
  field.id = to;
  field.name = to;
}

export function removeChoice(field: Field, value: string): void {
  field.choices = field.choices?.filter((choice) => choice.value !== value) ?? [];
}

/** Swaps ids but not meanings: `#yes` now answers no. */
export function swapChoiceIds(field: Field, first: string, second: string): void {
  const one = field.choices?.find(({ value }) => value === first);
  const other = field.choices?.find(({ value }) => value === second);
  if (!one || !other) throw new Error(`no choices ${first} and ${second}`);
  [one.id, other.id] = [other.id, one.id];
}

/** Puts another question above the same answers, so that the record has the answer to another question. */
export function askOtherwise(pages: readonly Page[], key: string, question: string): void {
  const { legend } = fieldOf(pages, key);
  const asked = pageOf(pages, key).fields.filter((each) =>
    legend === undefined ? each.key === key : each.legend === legend,
  );
  for (const field of asked) {
    if (legend === undefined) field.label = question;
    else field.legend = question;
    recordOtherwise(pages, field);
  }
}

/** The same question in another unit. */
export function hintOtherwise(pages: readonly Page[], key: string, hint: string): void {
  const field = fieldOf(pages, key);
  field.hint = hint;
  recordOtherwise(pages, field);
}

/** A record key names the meaning of an answer, so another meaning gets another key. */
export function recordOtherwise(pages: readonly Page[], field: Field): void {
  const key = `other_${field.key}`;
  for (const each of pages.flatMap(({ fields }) => fields))
    if (each.showWhen?.key === field.key) each.showWhen = { ...each.showWhen, key };
  field.key = key;
}

export function isShown(field: Field, answers: Answers): boolean {
  if (!field.showWhen) return true;
  const answer = answers[field.showWhen.key];
  return field.showWhen.is === undefined ? answer !== undefined && answer !== '' : answer === field.showWhen.is;
}
