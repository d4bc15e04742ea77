import { Failure, quote } from '../../platform/errors.ts';
import { settled } from '../../platform/page/settle.ts';
import { badAnswer, siteFailure } from '../../platform/page/site-failure.ts';
import { startAddress } from '../files/base-url.ts';
import { advance, arrive, untilRest } from './advance.ts';
import { APPEAR_MS, type Clickable, clickOn, findButton, reportButton } from './click.ts';
import { type Destination, pageDestination } from './destination.ts';
import { runError } from './failures.ts';
import type { Run } from './run.ts';

/** Opens the site and comes to the first page of the form. */
export async function openForm(run: Run): Promise<void> {
  const { wizard } = run.stored;
  const [first] = wizard.pages;
  if (!first) throw runError('navigation_failed', 'The wizard has no pages.');
  const begun = performance.now();
  const url = startAddress(wizard);
  const destination = await pageDestination(run, first);
  const starts = wizard.start_actions ?? (wizard.start_action ? [wizard.start_action] : []);
  const opened = () => run.record.step({ step: 'open', ms: Math.round(performance.now() - begun) });
  if (starts.length === 0) {
    const open = (to: Destination) => untilRest(run, () => visit(run, url), to);
    await arrive(run, open, destination, first.continue_button);
    return opened();
  }
  await visit(run, url);
  opened();
  const last = starts.findLastIndex(({ optional }) => !optional);
  for (const [i, action] of starts.entries()) {
    const place = wizard.start_actions ? ['start_actions', i] : ['start_action'];
    const button = { ...action, known: { name: 'start_action', place } };
    if (action.optional) await takeAway(run, button);
    else await advance(run, button, i === last ? destination : somewhereElse(run, run.page().url()));
  }
  const wait = (to: Destination) => untilRest(run, async () => {}, to);
  if (last < 0) await arrive(run, wait, destination, first.continue_button);
}

/** Clicks what takes away something that lies over the page, if it lies there this time. */
async function takeAway(run: Run, button: Clickable): Promise<void> {
  const found = await findButton(run, button).catch((error: unknown) => {
    if (error instanceof Failure && /^(?:ELEMENT_\w+|selector_not_found)$/.test(error.code)) return undefined;
    throw error;
  });
  if (!found || !(await found.locator.isVisible())) return;
  const begun = performance.now();
  const click = () => clickOn(found, `The button ${quote(found.selector)}`, run);
  await settled(run.page(), click, { timeoutMs: Math.min(APPEAR_MS, run.left()), signal: run.signal });
  const ms = Math.round(performance.now() - begun);
  run.record.step({ step: 'continue', page: run.at, locator: found.selector, rung: found.rung, ms });
  reportButton(run, button, found);
}

async function visit(run: Run, url: string): Promise<void> {
  const page = run.page();
  const answer = await page
    .goto(url, { waitUntil: 'domcontentloaded', timeout: run.left() })
    .catch((error: unknown) => {
      throw unreachable(siteFailure(error, url), url);
    });
  const status = answer?.status() ?? 200;
  if (status < 400) return;
  throw (
    (await badAnswer(page, answer, url)) ??
    runError('navigation_failed', `The site answers with HTTP status ${status}.`)
  );
}

/** Nothing was seen of the form, so there is nothing to look at or to discover again. */
function unreachable(error: unknown, url: string): unknown {
  if (!(error instanceof Failure) || !/^SITE_(?:DNS|REFUSED|TLS|UNREACHABLE|BROKEN)$/.test(error.code)) return error;
  const { reason } = error.details;
  return runError(
    'navigation_failed',
    `The site cannot be reached at ${quote(url)}: ${reason}.`,
    {
      technical_details: error.code,
      recommendation: 'Nothing was sent, and the wizard need not be discovered again: the site itself did not answer.',
      corrective_action:
        'Check that the site is up at this address; where the file says {base_url}, ASSAY_WIZARDS_BASE_URL is the address.',
    },
    error,
  );
}

/** A click on the way to the form, whose own page the file does not know: any change of address will do. */
function somewhereElse(run: Run, url: string): Destination {
  const isThere = async () => run.page().url() !== url;
  return {
    name: 'the next page before the form',
    isThere,
    appears: async (limitMs) =>
      run
        .page()
        .waitForURL((at) => at.href !== url, { timeout: limitMs, waitUntil: 'domcontentloaded' })
        .then(
          () => true,
          () => false,
        ),
  };
}
