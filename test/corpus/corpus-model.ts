/** What a person would put into a control: the values that `setValue` of the page engine takes. */
type CorpusValue = string | number | boolean | string[] | { [row: string]: CorpusValue };

/** A control that a library draws, inside the element that `selector` of its library names. */
export interface WidgetCase {
  name: string;
  value: CorpusValue;
  /** What the library reports afterwards, if that is not `value`; any of several. A pattern is matched with a text. */
  expected?: readonly unknown[] | RegExp;
}

/** How the server of the corpus answers a submission; `corpus-server.ts` says what each means. */
export type ServerAnswer =
  | 'created'
  | 'refused'
  | 'refused with 200'
  | 'flash'
  | 'mute'
  | 'reset'
  | 'draft'
  | 'e-mail'
  | 'hang'
  | 'broken';

type FormTruth =
  /** The site keeps the submission, and says so. */
  | 'accepted'
  /** The submission was refused because of a field, or before it was sent. */
  | 'rejected'
  /** It is kept only after another step: a confirmation on the page or by e-mail. */
  | 'pending'
  /** Nothing tells what became of it, or it never left. */
  | 'open';

/** One submission of a form: which data, how the server answers, and what became of it. */
export interface FormCase {
  name: string;
  answer: ServerAnswer;
  /** Values by the accessible name of the control. */
  fill: Readonly<Record<string, string>>;
  button: string;
  truth: FormTruth;
  /** The accessible name of the refused field. */
  field?: string;
}

export interface CorpusLibrary {
  name: string;
  /** Absolute path of the folder with the page scripts `widgets.*` and `form.*`. */
  folder: string;
  /** Selector of the element around a widget. */
  selector?: (name: string) => string;
  /** The markup of a page that the library draws on the server. */
  render?: (page: string, state: { values: object; errors: object; action: string }) => string;
  widgets: readonly WidgetCase[];
  forms: readonly FormCase[];
}

const valid = { 'Full name': 'Ann Lee', 'Email address': 'ann@example.org', Amount: '42' };
const button = 'Send';

/** Submissions that every form of the corpus can make; a library lists the names of those that its form page supports. */
const formCases: Record<string, Omit<FormCase, 'name'>> = {
  accepted: { answer: 'created', fill: valid, button, truth: 'accepted' },
  'missing name': {
    answer: 'created',
    fill: { 'Email address': 'ann@example.org', Amount: '42' },
    button,
    truth: 'rejected',
    field: 'Full name',
  },
  'wrong e-mail': {
    answer: 'created',
    fill: { ...valid, 'Email address': 'ann' },
    button,
    truth: 'rejected',
    field: 'Email address',
  },
  'amount too high': {
    answer: 'created',
    fill: { ...valid, Amount: '420' },
    button,
    truth: 'rejected',
    field: 'Amount',
  },
  refused: { answer: 'refused', fill: valid, button, truth: 'rejected', field: 'Email address' },
  'refused with 200': { answer: 'refused with 200', fill: valid, button, truth: 'rejected', field: 'Email address' },
  flash: { answer: 'flash', fill: valid, button, truth: 'rejected', field: 'Email address' },
  mute: { answer: 'mute', fill: valid, button, truth: 'open' },
  reset: { answer: 'reset', fill: valid, button, truth: 'open' },
  draft: { answer: 'draft', fill: valid, button, truth: 'pending' },
  'e-mail': { answer: 'e-mail', fill: valid, button, truth: 'pending' },
  hang: { answer: 'hang', fill: valid, button, truth: 'open' },
  broken: { answer: 'broken', fill: valid, button, truth: 'rejected' },
  start: { answer: 'created', fill: valid, button: 'Start', truth: 'open' },
};

export function chooseForms(...names: readonly string[]): FormCase[] {
  return names.map((name) => {
    const found = formCases[name];
    if (!found) throw new Error(`no form case ${name}: one of ${Object.keys(formCases).join(', ')}`);
    return { name, ...found };
  });
}
