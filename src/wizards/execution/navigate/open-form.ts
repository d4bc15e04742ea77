import { actAndSettle } from '../../../page/settle/settle.ts';
import { Failure, quote } from '../../../platform/errors.ts';
import { checkPageResponse, toSiteFailure } from '../../../platform/page/navigation/site-failure.ts';
import { wizardStartUrl } from '../../files/base-url.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { advanceTo, arriveAt, runUntilSettled } from './advance-page.ts';
import { APPEAR_MS, type ButtonTarget, clickButton, findButton, reportHealedButton } from './click-button.ts';
import { type Destination, pageDestination } from './page-destination.ts';

/** Opens the site, and clicks its way to the first page of the form. */
export async function openForm(run: WizardRun): Promise<void> {
  const { wizard } = run.stored;
  const [first] = wizard.pages;
  if (!first) throw runError('navigation_failed', 'The wizard has no pages.');
  const begun = performance.now();
  const url = wizardStartUrl(wizard);
  const destination = await pageDestination(run, first);
  const starts = wizard.start_actions ?? (wizard.start_action ? [wizard.start_action] : []);
  const opened = () => run.record.step({ step: 'open', ms: Math.round(performance.now() - begun) });
  if (starts.length === 0) {
    const open = (to: Destination) => runUntilSettled(run, () => visit(run, url), to);
    await arriveAt(run, open, destination, first.continue_button);
    return opened();
  }
  await visit(run, url);
  opened();
  const last = starts.findLastIndex(({ optional }) => !optional);
  for (const [i, action] of starts.entries()) {
    const filePath = wizard.start_actions ? ['start_actions', i] : ['start_action'];
    const button = { ...action, source: { name: 'start_action', filePath } };
    if (action.optional) await dismissOverlay(run, button);
    else await advanceTo(run, button, i === last ? destination : anyOtherAddress(run, run.page().url()));
  }
  const wait = (to: Destination) => runUntilSettled(run, async () => {}, to);
  if (last < 0) await arriveAt(run, wait, destination, first.continue_button);
}

/** Clicks the button that closes an overlay, if the overlay appears in this run. */
async function dismissOverlay(run: WizardRun, button: ButtonTarget): Promise<void> {
  const found = await findButton(run, button).catch((error: unknown) => {
    if (error instanceof Failure && /^(?:ELEMENT_\w+|selector_not_found)$/.test(error.code)) return undefined;
    throw error;
  });
  if (!found || !(await found.locator.isVisible())) return;
  const begun = performance.now();
  const click = () => clickButton(found, `The button ${quote(found.selector)}`, run);
  await actAndSettle(run.page(), click, { timeoutMs: Math.min(APPEAR_MS, run.remainingMs()), signal: run.signal });
  const ms = Math.round(performance.now() - begun);
  run.record.step({ step: 'continue', page: run.pageNumber, locator: found.selector, rung: found.rung, ms });
  reportHealedButton(run, button, found);
}

async function visit(run: WizardRun, url: string): Promise<void> {
  const page = run.page();
  const answer = await page
    .goto(url, { waitUntil: 'domcontentloaded', timeout: run.remainingMs() })
    .catch((error: unknown) => {
      throw unreachableError(toSiteFailure(error, url), url);
    });
  const status = answer?.status() ?? 200;
  if (status < 400) return;
  throw (
    (await checkPageResponse(page, answer, url)) ??
    runError('navigation_failed', `The site answers with HTTP status ${status}.`)
  );
}

/** The site did not respond, so the error advises neither to check the file nor to discover the form again. */
function unreachableError(error: unknown, url: string): unknown {
  if (!(error instanceof Failure) || !/^SITE_(?:DNS|REFUSED|TLS|UNREACHABLE|BROKEN)$/.test(error.code)) return error;
  const { reason } = error.details;
  return runError(
    'navigation_failed',
    `The site cannot be reached at ${quote(url)}: ${reason}.`,
    {
      technical_details: error.code,
      recommendation: 'Nothing was submitted, and the wizard need not be discovered again: the site did not respond.',
      corrective_action:
        'Check that the site is up at this address. If the file uses {base_url}, check ASSAY_WIZARDS_BASE_URL.',
    },
    error,
  );
}

/**
 * The destination of a click before the form: the file does not describe that page, so any change of the address
 * counts.
 */
function anyOtherAddress(run: WizardRun, url: string): Destination {
  const isThere = async () => run.page().url() !== url;
  return {
    name: 'the next page before the form',
    isThere,
    waitUntilThere: async (limitMs) =>
      run
        .page()
        .waitForURL((at) => at.href !== url, { timeout: limitMs, waitUntil: 'domcontentloaded' })
        .then(
          () => true,
          () => false,
        ),
  };
}
