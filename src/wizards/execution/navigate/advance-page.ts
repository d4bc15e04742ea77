import { recordRequests } from '../../../page/outcome/caused-requests.ts';
import { statesThat } from '../../../page/outcome/page-statements.ts';
import { actAndSettle } from '../../../page/settle/settle.ts';
import { quote } from '../../../platform/errors.ts';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import type { PageReading } from '../../../platform/page/page-model.ts';
import { isField } from '../../../platform/page/page-model.ts';
import type { PageEvent } from '../../../platform/page/settle/page-events.ts';
import { waitForChange } from '../../../platform/page/settle/settle.ts';
import { foldText } from '../../validation/read-values.ts';
import { redactValue } from '../../validation/redact-values.ts';
import { isStillWorking } from '../outcome/objections.ts';
import { readPageSignals } from '../outcome/page-signals.ts';
import { readComplaints, WHOLE_FORM } from '../outcome/site-complaints.ts';
import { CHECK_SITE_FIRST, MAY_BE_SENT, runError, type SiteComplaint, siteValidationError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { throwIfBlocked } from '../submit/request-blocker.ts';
import { throwIfSentOtherwise } from '../submit/sent-values.ts';
import { type ButtonTarget, clickButton, type FoundButton, findButton, reportHealedButton } from './click-button.ts';
import { type Destination, RESULTS_DESTINATION } from './page-destination.ts';

/** How long a settled page without a message may take to advance. */
const SILENT_PAGE_MS = 3_000;
/** The same limit for a page that shows an objection. */
const OBJECTION_MS = 1_000;
/** The same limit for a page that shows that it is busy. */
const BUSY_PAGE_MS = 20_000;
const MAX_NOTICES = 3;

/**
 * Clicks, and waits until the destination or an error appears. Everything else is a failure: a page that did not
 * advance is never a success.
 */
export async function advanceTo(
  run: WizardRun,
  button: ButtonTarget,
  destination: Destination | Promise<Destination>,
): Promise<void> {
  const [to, found] = await Promise.all([destination, findButton(run, button)]);
  await arriveAt(run, () => click(run, button, to, found), to, button);
  // A page may advance although the request blocker stopped its request. Between two pages, the next click checks this.
  if (to.name === RESULTS_DESTINATION && !run.sentValues.hasNewDocument()) await throwIfBlocked(run);
  throwIfSentOtherwise(run);
  reportDialogs(run);
}

type NavigationAct = (destination: Destination) => Promise<boolean>;

/** Performs the act that leads to the destination, and passes notices without questions on the way. */
export async function arriveAt(
  run: WizardRun,
  act: NavigationAct,
  destination: Destination,
  button: ButtonTarget,
): Promise<void> {
  let next = act;
  for (let notices = 0; ; notices++) {
    const before = addressesOf(run);
    if (await next(destination)) return;
    const notice = await diagnose(run, button, destination, before);
    if (notice === 'there') return;
    const { title, selector } = notice;
    const called = quote(run.redactor.pageText(title), 80);
    if (notices >= MAX_NOTICES || !(await canPassNotice(run, destination, title)))
      throw unknownNoticeError(destination, called);
    run.warnings.push(`A notice without questions was passed before ${destination.name}: ${called}`);
    next = (to) => click(run, { selector }, to);
  }
}

async function click(
  run: WizardRun,
  button: ButtonTarget,
  destination: Destination,
  known?: FoundButton,
): Promise<boolean> {
  const begun = performance.now();
  const found = known ?? (await findButton(run, button));
  const { selector, rung } = found;
  const clicking = () => {
    if (destination.name === RESULTS_DESTINATION) run.submission ??= recordRequests(run.page().context());
    return clickButton(found, `The button ${quote(button.text || selector)}`, run);
  };
  try {
    return await runUntilSettled(run, clicking, destination);
  } finally {
    const ms = Math.round(performance.now() - begun);
    run.record.step({ step: 'continue', page: run.pageNumber, locator: selector, rung, ms });
    reportHealedButton(run, button, found);
  }
}

/**
 * Resolves to true when the destination appears, and to false if the page settles without it. The act has ended in both cases: a
 * click ends the guards of its page, and would end those of the next page if it did so later.
 */
export async function runUntilSettled(
  run: Pick<WizardRun, 'page' | 'signal' | 'remainingMs' | 'isHangingRequest'>,
  act: () => Promise<unknown>,
  destination: Pick<Destination, 'waitUntilThere'>,
): Promise<boolean> {
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  const ended = Promise.withResolvers<void>();
  const rest = actAndSettle(run.page(), () => act().finally(ended.resolve), {
    quietMs: 200,
    timeoutMs: run.remainingMs(),
    signal,
    ignores: run.isHangingRequest,
  });
  rest.catch(() => {});
  try {
    const isThere = await Promise.race([
      destination.waitUntilThere(run.remainingMs(), stop.signal),
      rest.then(() => false),
    ]);
    await ended.promise;
    return isThere;
  } finally {
    stop.abort();
  }
}

/** The addresses of a page and all its frames. */
const addressesOf = (run: WizardRun) =>
  run
    .page()
    .frames()
    .map((frame) => frame.url())
    .join(' ');

interface Notice {
  title: string;
  selector: string;
}

/** Finds out why a settled page is not the destination. */
async function diagnose(
  run: WizardRun,
  button: ButtonTarget,
  destination: Destination,
  before: string,
): Promise<Notice | 'there'> {
  const begun = performance.now();
  for (let isLastLook = false; ; ) {
    run.signal.throwIfAborted();
    if (await destination.isThere()) return 'there';
    await throwIfBlocked(run);
    const { reading, complaints } = await readComplaints(run);
    const isSure = complaints.some(({ field }) => field !== WHOLE_FORM) || addressesOf(run) !== before;
    if (complaints.length > 0 && isSure) throw siteValidationError(run.pageNumber, complaints);
    const dialogs = takeDialogs(run);
    const dismissed = dialogs.find(({ type, accepted }) => type !== 'alert' && !accepted);
    if (dismissed) throw dismissedDialogError(run, dismissed);
    const spoken = dialogs.filter(({ type }) => type === 'alert').map((dialog) => toComplaint(run, dialog));
    if (spoken.length > 0) throw siteValidationError(run.pageNumber, spoken);
    const native = await nativeComplaints(run);
    if (native.length > 0) throw siteValidationError(run.pageNumber, native);
    const notice = noticeIn(reading, button);
    if (notice && addressesOf(run) !== before) return notice;
    if (isRefusal(run.documentStatus())) throw siteRefusalError(run);
    const patience = begun + Math.min(destination.objection?.() ? OBJECTION_MS : SILENT_PAGE_MS, run.remainingMs());
    if (performance.now() >= patience) {
      if (complaints.length > 0) throw siteValidationError(run.pageNumber, complaints);
      if (!destination.objection?.() && (await isPageBusy(run, begun))) continue;
      if (isLastLook) throw notAdvancedError(run, destination, reading, before);
      // The check itself takes time, so later messages of the page are read too.
      isLastLook = true;
      continue;
    }
    await waitForChange(run.page(), Math.max(1, patience - performance.now()));
  }
}

/**
 * Waits while the page shows that it is busy. Returns false if it is not busy or its time limit has passed, and true
 * after a change or one interval.
 */
async function isPageBusy(run: WizardRun, begun: number): Promise<boolean> {
  const left = Math.min(begun + BUSY_PAGE_MS - performance.now(), run.remainingMs() - SILENT_PAGE_MS);
  if (left <= 0 || !isStillWorking(await readPageSignals(run.page()))) return false;
  await waitForChange(run.page(), Math.min(left, OBJECTION_MS));
  return true;
}

/** A page, or a frame, without questions whose button has the same name as the button of the page before. */
function noticeIn({ controls, headings, title }: PageReading, button: ButtonTarget): Notice | undefined {
  const words = foldText(button.text || button.selector);
  const same = controls.filter(({ name, visible, kind }) => visible && kind !== 'link' && foldText(name) === words);
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
  return asks ? undefined : { title: headings[0]?.text || title, selector: rungToSelector(rung) };
}

/** The search box of a site's header is not a question of the form. */
const inSearch = (action: string) => /\/search\b/.test(action);

/**
 * Whether the run may pass a notice between two pages. A notice before the results, at the address of the next page or
 * with consequences may be the final confirmation: it is passed only if the file lists it.
 */
async function canPassNotice(run: WizardRun, destination: Destination, title: string): Promise<boolean> {
  if ((run.stored.wizard.notices ?? []).some((listed) => foldText(listed) === foldText(title))) return true;
  if (destination.name === RESULTS_DESTINATION || destination.isOpen?.()) return false;
  return !(await readPageSignals(run.page())).lines.some((line) => statesThat(line, 'consequence'));
}

function unknownNoticeError(destination: Destination, called: string): Error {
  const toDo = 'If every run may pass it, add its heading to notices of the wizard.';
  const isLast = destination.name === RESULTS_DESTINATION;
  return runError(
    'navigation_failed',
    `Before ${destination.name} there is an unknown notice, ${called}. Its button was not clicked.`,
    {
      technical_details: 'UNKNOWN_NOTICE',
      recommendation: isLast ? `${MAY_BE_SENT} ${toDo}` : toDo,
      corrective_action: isLast
        ? CHECK_SITE_FIRST
        : 'Read the notice on the screenshot, and ask the user whether it may be passed.',
    },
  );
}

type Dialog = NonNullable<PageEvent['dialog']>;

/**
 * The dialogs that the browser opened since the last call, each once. Questions before a page is left (`beforeunload`)
 * do not count.
 */
function takeDialogs(run: WizardRun): Dialog[] {
  const dialogs = run.watch.take().flatMap(({ dialog }) => dialog ?? []);
  const asked = dialogs.filter(({ type }) => type !== 'beforeunload');
  return [...new Map(asked.map((dialog) => [`${dialog.type} ${dialog.message}`, dialog])).values()].slice(0, 5);
}

const toComplaint = (run: WizardRun, { message }: Dialog): SiteComplaint => ({
  field: WHOLE_FORM,
  message: run.redactor.pageText(message).slice(0, 300),
  provided_value: null,
});

/** Adds a warning for each dialog on the way to the next page, and fails if a dialog reports a failure. */
function reportDialogs(run: WizardRun): void {
  const dialogs = takeDialogs(run).filter(({ accepted }) => !accepted);
  const complaints = dialogs.filter(({ message }) => statesThat(message, 'anywhere'));
  if (complaints.length > 0)
    throw siteValidationError(
      run.pageNumber,
      complaints.map((dialog) => toComplaint(run, dialog)),
    );
  for (const dialog of dialogs)
    run.warnings.push(
      `After page ${run.pageNumber} a dialog (${dialog.type}) said ${quote(toComplaint(run, dialog).message, 200)}`,
    );
}

/** The error for a question that was answered with Cancel, because the effect of OK is unknown. */
function dismissedDialogError(run: WizardRun, { type, message }: Dialog): Error {
  const toDo = 'If every run may answer it with OK, add its text to accept_dialogs of the wizard.';
  const said = quote(run.redactor.pageText(message), 200);
  return runError(
    'navigation_failed',
    `The page asked in a dialog (${type}) ${said}. It was answered with Cancel, so page ${run.pageNumber} was not submitted.`,
    {
      technical_details: 'DIALOG_DISMISSED',
      recommendation: toDo,
      corrective_action: 'Ask the user whether the dialog may be answered with OK.',
    },
  );
}

/** The validation messages of the browser, which appear before anything is sent. */
async function nativeComplaints(run: WizardRun): Promise<SiteComplaint[]> {
  const frames = run.page().frames().slice(0, 10);
  const found = await Promise.all(frames.map((frame) => frame.evaluate(invalidInPage).catch(() => [])));
  const fields = run.stored.wizard.pages[run.pageNumber - 1]?.fields ?? [];
  return found.flat().map(({ id, label, message }) => {
    const field = fields.find(
      ({ selector, label: known }) => selector === `#${id}` || foldText(known) === foldText(label),
    );
    const provided_value = redactValue(field, field ? (run.data[field.field_id] ?? null) : null);
    return {
      field: field?.label ?? run.redactor.pageText(label),
      message: run.redactor.pageText(message),
      provided_value,
    };
  });
}

/** Runs in the page. */
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

function siteRefusalError(run: WizardRun): Error {
  const status = run.documentStatus();
  const why = [401, 403, 429].includes(status ?? 0)
    ? 'it refuses this visitor, as sites that block automated browsers do'
    : 'the site is down';
  return runError(
    'navigation_failed',
    `The site answered with HTTP status ${status} after page ${run.pageNumber}: ${why}.`,
  );
}

const HOW_TO_NAME_RESULTS_PAGE =
  'If this page is the end of the form, set results_page.heading of the wizard to its heading.';

function notAdvancedError(
  run: WizardRun,
  destination: Destination,
  reading: PageReading | undefined,
  before?: string,
): Error {
  const heading = run.redactor.pageText(reading?.headings[0]?.text || reading?.title || '');
  const stayed = before === addressesOf(run);
  const seen = destination.objection?.();
  const what = stayed
    ? `The form did not advance from page ${run.pageNumber} to ${destination.name}, and ${seen ? `there is ${seen}` : 'the page gives no reason'}`
    : `Instead of ${destination.name} there is an unexpected page, ${quote(heading, 80)}${seen ? `, with ${seen}` : ''}`;
  // A form that is sent by GET has its answers in the query.
  const url = run
    .page()
    .url()
    .replace(/[?#].*$/s, '');
  return runError('navigation_failed', `${what}.`, {
    current_url: run.redactor.text(url),
    ...(run.submission?.hasSent() && {
      recommendation: `${MAY_BE_SENT} ${HOW_TO_NAME_RESULTS_PAGE}`,
      corrective_action: CHECK_SITE_FIRST,
    }),
  });
}
