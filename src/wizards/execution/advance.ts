import { quote } from '../../platform/errors.ts';
import type { PageReading } from '../../platform/page/model.ts';
import { isField } from '../../platform/page/model.ts';
import { selectorOf } from '../../platform/page/rung-text.ts';
import { nextChange, settled } from '../../platform/page/settle.ts';
import type { Happening } from '../../platform/page/watch.ts';
import { toldValue } from '../validation/told.ts';
import { folded } from '../validation/words.ts';
import { refuseSentOtherwise } from './as-sent.ts';
import { type Clickable, type Clicked, clickOn, findButton, reportButton } from './click.ts';
import { GENERAL, readComplaints } from './complaints.ts';
import { type Destination, RESULTS } from './destination.ts';
import { says } from './failing.ts';
import { LOOK_FIRST, PERHAPS_SENT, refusedBySite, runError, type SiteComplaint } from './failures.ts';
import { glanceAt } from './glance.ts';
import { refuseHeldBack } from './hold-back.ts';
import { isStillWorking } from './objections.ts';
import type { Run } from './run.ts';

/** So long a page that is at rest, and says nothing, may still take its time. */
const PATIENCE_MS = 3_000;
/** What says by itself that it is not what was hoped for is given less. */
const DOUBT_MS = 1_000;
/** One that shows that it is at work is given more. */
const WORK_MS = 20_000;
const MOST_NOTICES = 3;

/**
 * Clicks, and waits until either the destination or an error is there. Whatever else happens is a failure: a page that did
 * not advance is never a success.
 */
export async function advance(
  run: Run,
  button: Clickable,
  destination: Destination | Promise<Destination>,
): Promise<void> {
  // Where to and by what are looked up at the same time.
  const [to, found] = await Promise.all([destination, findButton(run, button)]);
  await arrive(run, () => click(run, button, to, found), to, button);
  // A page may go on as if what it did not get sent had been. Between two pages the next click looks for that.
  if (to.name === RESULTS && !run.asSent.isAnew()) await refuseHeldBack(run);
  refuseSentOtherwise(run);
  heedDialogs(run);
}

type Act = (destination: Destination) => Promise<boolean>;

/** Does what should lead to the destination, and passes notices without questions that stand in the way. */
export async function arrive(run: Run, act: Act, destination: Destination, button: Clickable): Promise<void> {
  let next = act;
  for (let notices = 0; ; notices++) {
    const before = addressesOf(run);
    if (await next(destination)) return;
    const notice = await diagnose(run, button, destination, before);
    if (notice === 'there') return;
    const { title, selector } = notice;
    const called = quote(run.discreet.said(title), 80);
    if (notices >= MOST_NOTICES || !(await mayBePassed(run, destination, title)))
      throw unexpectedNotice(destination, called);
    run.notes.push(`A notice without questions stood before ${destination.name}, and was passed: ${called}`);
    next = (to) => click(run, { selector }, to);
  }
}

async function click(run: Run, button: Clickable, destination: Destination, known?: Clicked): Promise<boolean> {
  const begun = performance.now();
  const found = known ?? (await findButton(run, button));
  const { selector, rung } = found;
  const clicking = () => {
    if (destination.name === RESULTS) run.sent.begin();
    return clickOn(found, `The button ${quote(button.text || selector)}`, run);
  };
  try {
    return await untilRest(run, clicking, destination);
  } finally {
    const ms = Math.round(performance.now() - begun);
    run.record.step({ step: 'continue', page: run.at, locator: selector, rung, ms });
    reportButton(run, button, found);
  }
}

/** True as soon as the destination is there; false when the page has come to rest without it. */
export async function untilRest(run: Run, act: () => Promise<unknown>, destination: Destination): Promise<boolean> {
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  const rest = settled(run.page(), act, { quietMs: 200, timeoutMs: run.left(), signal, ignores: run.isHanging });
  rest.catch(() => {});
  try {
    return await Promise.race([destination.appears(run.left(), stop.signal), rest.then(() => false)]);
  } finally {
    stop.abort();
  }
}

/** Of a page and all its frames. */
const addressesOf = (run: Run) =>
  run
    .page()
    .frames()
    .map((frame) => frame.url())
    .join(' ');

interface Notice {
  title: string;
  selector: string;
}

/** The page is at rest, and not where it should be: why? */
async function diagnose(
  run: Run,
  button: Clickable,
  destination: Destination,
  before: string,
): Promise<Notice | 'there'> {
  const begun = performance.now();
  for (let isLastLook = false; ; ) {
    run.signal.throwIfAborted();
    if (await destination.isThere()) return 'there';
    await refuseHeldBack(run);
    const { reading, complaints } = await readComplaints(run);
    const isSure = complaints.some(({ field }) => field !== GENERAL) || addressesOf(run) !== before;
    if (complaints.length > 0 && isSure) throw refusedBySite(run.at, complaints);
    const dialogs = dialogsOf(run);
    const dismissed = dialogs.find(({ type, accepted }) => type !== 'alert' && !accepted);
    if (dismissed) throw unanswered(run, dismissed);
    const spoken = dialogs.filter(({ type }) => type === 'alert').map((dialog) => saidIn(run, dialog));
    if (spoken.length > 0) throw refusedBySite(run.at, spoken);
    const native = await nativeComplaints(run);
    if (native.length > 0) throw refusedBySite(run.at, native);
    const notice = noticeIn(reading, button);
    if (notice && addressesOf(run) !== before) return notice;
    if (isRefusal(run.status())) throw blocked(run);
    const patience = begun + Math.min(destination.objection?.() ? DOUBT_MS : PATIENCE_MS, run.left());
    if (performance.now() >= patience) {
      if (complaints.length > 0) throw refusedBySite(run.at, complaints);
      if (!destination.objection?.() && (await isAtWork(run, begun))) continue;
      if (isLastLook) throw unexpected(run, destination, reading, before);
      // A look takes its time: what the page has said meanwhile is heard too.
      isLastLook = true;
      continue;
    }
    await nextChange(run.page(), Math.max(1, patience - performance.now()));
  }
}

/** The page shows that it is not done: false when it does not, or has had its time; else it has changed, or a while has passed. */
async function isAtWork(run: Run, begun: number): Promise<boolean> {
  const left = Math.min(begun + WORK_MS - performance.now(), run.left() - PATIENCE_MS);
  if (left <= 0 || !isStillWorking(await glanceAt(run.page()))) return false;
  await nextChange(run.page(), Math.min(left, DOUBT_MS));
  return true;
}

/** A page, or a frame, without questions whose way on has the same name as that of the page before. */
function noticeIn({ controls, headings, title }: PageReading, button: Clickable): Notice | undefined {
  const words = folded(button.text || button.selector);
  const same = controls.filter(({ name, visible, kind }) => visible && kind !== 'link' && folded(name) === words);
  const [only, ...others] = same;
  if (!only || others.length > 0) return undefined;
  const asks = controls.some(
    (control) =>
      isField(control) &&
      control.visible &&
      String(control.frame) === String(only.frame) &&
      !inSearch(control.form?.action ?? ''),
  );
  const rung = only.ladder[0] ?? { by: 'role' as const, role: 'button', value: only.name };
  return asks ? undefined : { title: headings[0]?.text || title, selector: selectorOf(rung) };
}

/** The search box of a site's header is no question of a form. */
const inSearch = (action: string) => /\/search\b/.test(action);

/**
 * A notice between two pages is passed. What stands before the results may be the last question whether somebody really wants
 * it, and so may what tells of consequences anywhere, or stands at the address of the next page: that is passed only if the
 * file lists it.
 */
async function mayBePassed(run: Run, destination: Destination, title: string): Promise<boolean> {
  if ((run.stored.wizard.notices ?? []).some((listed) => folded(listed) === folded(title))) return true;
  if (destination.name === RESULTS || destination.isOpen?.()) return false;
  return !(await glanceAt(run.page())).lines.some((line) => says(line, 'consequence'));
}

function unexpectedNotice(destination: Destination, called: string): Error {
  const toDo = 'If it may be passed whenever the form is filled in, put its heading into notices of the wizard.';
  const isLast = destination.name === RESULTS;
  return runError(
    'navigation_failed',
    `Before ${destination.name} there is a notice, ${called}, that the wizard does not know; its button was not clicked.`,
    {
      technical_details: 'UNKNOWN_NOTICE',
      recommendation: isLast ? `${PERHAPS_SENT} ${toDo}` : toDo,
      corrective_action: isLast
        ? LOOK_FIRST
        : 'Read the page on the picture: somebody has to say whether it may be passed.',
    },
  );
}

type Dialog = NonNullable<Happening['dialog']>;

/** The dialogs that the browser opened since the last look, each once. Whatever asks before a page is left is no concern. */
function dialogsOf(run: Run): Dialog[] {
  const dialogs = run.watch.take().flatMap(({ dialog }) => dialog ?? []);
  const asked = dialogs.filter(({ type }) => type !== 'beforeunload');
  return [...new Map(asked.map((dialog) => [`${dialog.type} ${dialog.message}`, dialog])).values()].slice(0, 5);
}

const saidIn = (run: Run, { message }: Dialog): SiteComplaint => ({
  field: GENERAL,
  message: run.discreet.said(message).slice(0, 300),
  provided_value: null,
});

/** What a page says in a dialog on its way to the next is told, or, where it tells of a failure, is one. */
function heedDialogs(run: Run): void {
  const dialogs = dialogsOf(run).filter(({ accepted }) => !accepted);
  const complaints = dialogs.filter(({ message }) => says(message, 'anywhere'));
  if (complaints.length > 0)
    throw refusedBySite(
      run.at,
      complaints.map((dialog) => saidIn(run, dialog)),
    );
  for (const dialog of dialogs)
    run.notes.push(`After page ${run.at} a dialog (${dialog.type}) said ${quote(saidIn(run, dialog).message, 200)}`);
}

/** A question that was answered with Cancel, since nobody knows what OK would do. */
function unanswered(run: Run, { type, message }: Dialog): Error {
  const toDo =
    'If it may be answered with OK whenever the form is filled in, put its words into accept_dialogs of the wizard.';
  const said = quote(run.discreet.said(message), 200);
  return runError(
    'navigation_failed',
    `The page asks in a dialog (${type}) ${said}, and was answered with Cancel, so page ${run.at} was not sent.`,
    {
      technical_details: 'DIALOG_DISMISSED',
      recommendation: toDo,
      corrective_action: 'Read what it asks: somebody has to say whether it may be answered with OK.',
    },
  );
}

/** What the browser itself holds against a value, before anything is sent. */
async function nativeComplaints(run: Run): Promise<SiteComplaint[]> {
  const frames = run.page().frames().slice(0, 10);
  const found = await Promise.all(frames.map((frame) => frame.evaluate(invalidInPage).catch(() => [])));
  const fields = run.stored.wizard.pages[run.at - 1]?.fields ?? [];
  return found.flat().map(({ id, label, message }) => {
    const field = fields.find(({ selector, label: known }) => selector === `#${id}` || folded(known) === folded(label));
    const provided_value = toldValue(field, field ? (run.data[field.field_id] ?? null) : null);
    return { field: field?.label ?? run.discreet.said(label), message: run.discreet.said(message), provided_value };
  });
}

/** In the page. */
function invalidInPage(): { id: string; label: string; message: string }[] {
  const inputs = document.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
    ':is(input, select, textarea):user-invalid',
  );
  return [...inputs].slice(0, 50).map((input) => ({
    id: input.id,
    label: (input.labels?.[0]?.innerText ?? input.getAttribute('aria-label') ?? input.name)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    message: input.validationMessage,
  }));
}

const isRefusal = (status: number | undefined) => status !== undefined && status >= 400 && status !== 422;

function blocked(run: Run): Error {
  const status = run.status();
  const why = [401, 403, 429].includes(status ?? 0)
    ? 'it refuses this visitor, as sites do that block automated browsers'
    : 'it is out of order';
  return runError('navigation_failed', `The site answered with HTTP status ${status} after page ${run.at}: ${why}.`);
}

const AS_THE_END = 'If this page is how it ends, put its heading into results_page.heading of the wizard.';

function unexpected(run: Run, destination: Destination, reading: PageReading | undefined, before?: string): Error {
  const heading = run.discreet.said(reading?.headings[0]?.text || reading?.title || '');
  const stayed = before === addressesOf(run);
  const seen = destination.objection?.();
  const what = stayed
    ? `The form did not advance from page ${run.at} to ${destination.name}, and ${seen ? `there is ${seen}` : 'says nothing about why'}`
    : `Instead of ${destination.name} there is an unexpected page, ${quote(heading, 80)}${seen ? `, with ${seen}` : ''}`;
  // Forms that are sent by GET carry their answers behind the question mark.
  const url = run
    .page()
    .url()
    .replace(/[?#].*$/s, '');
  return runError('navigation_failed', `${what}.`, {
    current_url: run.discreet.text(url),
    ...(run.sent.perhaps() && {
      recommendation: `${PERHAPS_SENT} ${AS_THE_END}`,
      corrective_action: LOOK_FIRST,
    }),
  });
}
