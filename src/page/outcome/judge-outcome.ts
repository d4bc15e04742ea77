import { quote } from '../../platform/errors.ts';
import { isSafeMethod } from './caused-requests.ts';
import { compareForms, type FormComparison } from './form-comparison.ts';
import type {
  CausedRequest,
  EvidenceKind,
  OutcomeEvidence,
  OutcomeView,
  RefusedField,
  SubmissionOutcome,
} from './outcome-model.ts';
import { statesThat } from './page-statements.ts';
import { findRefusedFields, locateAnsweredErrors } from './refused-fields.ts';
import { type AnsweredRefusal, readAnsweredRefusal } from './response-errors.ts';

/** All that is known of an action and of what followed. */
export interface JudgedAction {
  /** The page before the form was filled; else as `before`. */
  unfilled: OutcomeView;
  before: OutcomeView;
  after: OutcomeView;
  requests: readonly CausedRequest[];
  /** Texts of dialogs that the browser opened. */
  dialogs: readonly string[];
}

interface Weighing extends JudgedAction {
  form: FormComparison;
  isSameDocument: boolean;
  /** The requests that carry what was entered, or that change something on the site. */
  submissions: readonly CausedRequest[];
  /** Fields that are marked as wrong. */
  fields: RefusedField[];
  /** New messages, alerts and dialogs. */
  messages: readonly string[];
  /** New messages that are no alerts. */
  statuses: readonly string[];
  /** New lines of the page, with its messages. */
  words: readonly string[];
  /** New texts in the colour of errors. */
  warnings: readonly string[];
}

type Finding = Pick<SubmissionOutcome, 'verdict'> & Partial<SubmissionOutcome>;

const MAX_WORDS = 20;

/**
 * Whether the site accepted what was sent. The answers to the requests count first, then what the page says about fields, then its
 * messages, then what became of the form. Words alone never speak for it: they only take an acceptance back.
 */
export function judgeOutcome(action: JudgedAction): SubmissionOutcome {
  const weighing = weigh(action);
  const evidence: OutcomeEvidence[] = [];
  const note = (kind: EvidenceKind, speaksFor: OutcomeEvidence['speaksFor'], text: string) =>
    evidence.push({ kind, speaksFor, text });
  const found = judgeResponses(weighing, note) ?? judgeFields(weighing, note) ?? judgePage(weighing, note);
  const words = weighing.words.slice(0, MAX_WORDS);
  const outcome = { pending: '' as const, fields: [], words, evidence, ...found };
  return outcome.verdict === 'accepted' ? takeBack(outcome, weighing, note) : outcome;
}

type Note = (kind: EvidenceKind, speaksFor: OutcomeEvidence['speaksFor'], text: string) => void;

function weigh(action: JudgedAction): Weighing {
  const { unfilled, before, after, requests, dialogs } = action;
  const form = compareForms(before.snapshot, after.snapshot);
  const known = new Set(before.state.lines);
  const isNew = (text: string) => !known.has(text);
  const saidBefore = new Set(before.snapshot.messages.map(({ text }) => text));
  const openBefore = before.snapshot.regions.filter(isDialog).length;
  const opened = after.snapshot.regions.filter(isDialog).slice(openBefore);
  const news = after.snapshot.messages.filter(({ text }) => !saidBefore.has(text));
  const said = news.map(({ text }) => text);
  const messages = [...dialogs, ...said, ...opened.map(({ name }) => name)].filter(Boolean);
  const lines = after.state.lines.filter(isNew);
  const submissions = requests.filter((request) => isSubmission(request, form));
  return {
    ...action,
    form,
    isSameDocument: before.state.document === after.state.document,
    submissions,
    fields: findRefusedFields(submissions.length > 0 ? before : unfilled, after, {
      form,
      isSent: submissions.length > 0,
    }),
    messages,
    statuses: news.filter(({ role }) => role !== 'alert').map(({ text }) => text),
    words: [...new Set([...messages, ...lines])],
    warnings: after.state.warnings.filter((text) => !before.state.warnings.includes(text) && isNew(text)),
  };
}

const isDialog = ({ role }: { role: string }) => role === 'dialog' || role === 'alertdialog';

/** It carries what was entered, wherever it goes, or it asks the site itself to change something. */
function isSubmission({ method, isOfSite, opensPage, sent }: CausedRequest, { entered }: FormComparison): boolean {
  if (!isSafeMethod(method) && (isOfSite || opensPage)) return true;
  const text = decoded(sent);
  return entered.some((value) => text.includes(value));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function judgeResponses({ submissions, requests, after, messages, fields }: Weighing, note: Note): Finding | undefined {
  const page = requests.findLast(({ opensPage, status }) => opensPage && status > 0);
  const failed = [...submissions, ...(page ? [page] : [])].find(({ status }) => status >= 400);
  const refusals = submissions.map((request) => readAnsweredRefusal(request.answer));
  const refusal: AnsweredRefusal | undefined = refusals.find(({ isRefused }) => isRefused);
  if (failed) note('response', 'rejected', `${failed.method} was answered with HTTP status ${failed.status}`);
  if (refusal) note('response errors', 'rejected', describeErrors(refusal));
  if (failed || refusal) {
    const answered = locateAnsweredErrors(refusal?.errors ?? [], after.snapshot);
    return { verdict: 'rejected', fields: answered.length > 0 ? answered : fields };
  }
  const lost = submissions.find(({ hasFailed }) => hasFailed);
  if (lost) {
    note('no response', 'unknown', `${lost.method} failed without an answer`);
    return { verdict: 'unknown' };
  }
  const open = submissions.find(({ status }) => status === 0);
  if (open) {
    note('no response', 'unknown', `${open.method} has no answer yet`);
    return { verdict: 'unknown' };
  }
  const last = submissions.at(-1);
  if (last) note('response', 'accepted', `${last.method} was answered with HTTP status ${last.status}`);
  else
    note(
      'nothing sent',
      'unknown',
      `the action sent nothing${messages.length > 0 ? ', and the page shows a message' : ''}`,
    );
  return undefined;
}

function describeErrors({ errors }: AnsweredRefusal): string {
  const texts = errors.map(({ field, text }) => [field, text && quote(text, 200)].filter(Boolean).join(' '));
  return texts.filter(Boolean).join('; ') || 'the answer says that it failed';
}

function judgeFields(weighing: Weighing, note: Note): Finding | undefined {
  const { form, fields, warnings, messages, isSameDocument, submissions } = weighing;
  // Fields that were emptied on success complain that they are empty.
  const isEmptied = form.isReset && submissions.length > 0;
  if (fields.length > 0 && !isEmptied) {
    for (const { name, text } of fields)
      note('refused field', 'rejected', `${quote(name, 100)} ${text && quote(text, 200)}`.trim());
    return { verdict: 'rejected', fields };
  }
  if (warnings.length > 0 && form.isShown && form.isKept) {
    note('warning', 'rejected', quote(warnings[0] ?? '', 200));
    return { verdict: 'rejected' };
  }
  const isStuck = isSameDocument && submissions.length === 0 && form.isKept && weighing.dialogs.length > 0;
  if (isStuck) {
    note('message', 'rejected', quote(messages[0] ?? '', 200));
    return { verdict: 'rejected' };
  }
  return undefined;
}

function judgePage(weighing: Weighing, note: Note): Finding {
  const { form, after, before, words } = weighing;
  if (after.state.asksPassword && !before.state.asksPassword) {
    note('sign-in', 'unknown', 'the page asks for a password');
    return { verdict: 'unknown' };
  }
  if (words.length > 0) note('new content', 'accepted', quote(words[0] ?? '', 200));
  else note('no new content', 'unknown', 'the page says nothing new');
  if (!form.isShown) return judgeNewPage(weighing, note);
  return form.isKept ? judgeKeptForm(weighing, note) : judgeResetForm(weighing, note);
}

/** The form is shown with its values, as after a refusal: only a status of the page speaks against that. An alert may say either. */
function judgeKeptForm({ submissions, statuses, isSameDocument }: Weighing, note: Note): Finding {
  note('form kept', 'unknown', 'the form is shown with its values');
  const isAnswered = submissions.length > 0 && (isSameDocument || submissions.some(({ isRedirected }) => isRedirected));
  if (!isAnswered || statuses.length === 0) return { verdict: 'unknown' };
  note('message', 'accepted', quote(statuses[0] ?? '', 200));
  return { verdict: 'accepted' };
}

function judgeResetForm({ submissions, form, words, messages, isSameDocument }: Weighing, note: Note): Finding {
  note('form reset', 'unknown', 'the form is shown without its values');
  const echo = form.entered.find((value) => words.some((line) => line.includes(value)));
  const isAnswered = submissions.length > 0 && (isSameDocument || submissions.some(({ isRedirected }) => isRedirected));
  const isSaid = echo !== undefined || messages.length > 0 || (isAnswered && words.length > 0);
  if (!form.isReset || !isSaid || (submissions.length === 0 && echo === undefined)) return { verdict: 'unknown' };
  const said = echo === undefined ? `the page says ${quote(words[0] ?? '', 200)}` : 'the page shows what was entered';
  note('message', 'accepted', said);
  return { verdict: 'accepted' };
}

function judgeNewPage({ submissions, form, words, before, after }: Weighing, note: Note): Finding {
  note('form gone', 'accepted', 'the form is not shown any more');
  const [button] = after.state.postButtons.filter((name) => !before.state.postButtons.includes(name));
  const isRepeated = form.entered.some((value) => words.some((line) => line.includes(value)));
  if (button !== undefined && (isRepeated || form.added.length === 0)) {
    note('another form', 'unknown', `the page has another button to send, ${quote(button, 100)}`);
    return { verdict: 'unknown', pending: 'confirmation' };
  }
  const asked = form.added.filter(({ state }) => state.isRequired || submissions.length === 0);
  if (asked.length > 0 || words.length === 0) {
    if (asked.length > 0) note('another form', 'unknown', `the page asks for ${quote(asked[0]?.name ?? '', 100)}`);
    return { verdict: 'unknown' };
  }
  return { verdict: 'accepted' };
}

/** What the page says can only make an acceptance doubtful. */
function takeBack(
  outcome: SubmissionOutcome,
  { after, before, words, messages }: Weighing,
  note: Note,
): SubmissionOutcome {
  const title = after.snapshot.title === before.snapshot.title ? [] : [after.snapshot.title];
  const headings = after.snapshot.data.filter(({ kind }) => kind === 'heading').flatMap(({ texts }) => texts);
  const prominent = [...title, ...messages, ...headings.filter((text) => words.includes(text))];
  const doubt =
    prominent.find((text) => statesThat(text, 'anywhere')) ??
    words.find((text) => statesThat(text, 'refused') || statesThat(text, 'asking'));
  const said = [...prominent, ...words];
  const mailed = said.find((text) => statesThat(text, 'mailed'));
  const unfinished = mailed ?? said.find((text) => statesThat(text, 'unfinished'));
  const text = doubt ?? unfinished;
  if (text === undefined) return outcome;
  note('words', 'unknown', quote(text, 200));
  const pending = mailed === undefined ? 'confirmation' : 'e-mail';
  return { ...outcome, verdict: 'unknown', pending: unfinished === undefined ? '' : pending };
}
