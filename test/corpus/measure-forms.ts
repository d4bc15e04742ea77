import type { BrowserContext, Page } from 'playwright-core';
import { readOutcomeView, watchOutcome } from '../../src/page/outcome/outcome.ts';
import type { SubmissionOutcome } from '../../src/page/outcome/outcome-model.ts';
import { actAndSettle } from '../../src/page/settle/settle.ts';
import type { CorpusLibrary, FormCase } from './corpus-model.ts';
import type { CorpusServer } from './corpus-server.ts';

export interface FormResult {
  library: string;
  form: FormCase;
  outcome: SubmissionOutcome;
  /** Whether the page was set up as the case says: the server received a submission, or received none. */
  hasArrived: boolean;
}

const PAGE_MS = 20_000;
/** How long a page that never gets an answer is looked at. */
const SUBMIT_MS = 6_000;

/** Fills the form as the case says, sends it, and asks the page engine what became of it. */
export async function measureForm(
  context: BrowserContext,
  server: CorpusServer,
  library: CorpusLibrary,
  form: FormCase,
): Promise<FormResult> {
  const page = await context.newPage();
  try {
    await actAndSettle(page, () => page.goto(server.url(library.name, 'form', form.answer), { timeout: PAGE_MS }));
    const unfilled = await readOutcomeView(page);
    await fillForm(page, form);
    const before = server.received.length;
    using watch = await watchOutcome(page, { unfilled });
    await actAndSettle(page, () => clickButton(page, form.button), { timeoutMs: SUBMIT_MS });
    const outcome = await watch.verdict();
    return { library: library.name, form, outcome, hasArrived: server.received.length > before };
  } finally {
    await page.close();
  }
}

async function fillForm(page: Page, { fill }: FormCase): Promise<void> {
  for (const [label, value] of Object.entries(fill)) {
    const field = page.getByLabel(label).first();
    await field.fill(value);
    await field.press('Tab');
  }
}

/** With the mouse, because a click on an element waits for the answer of a form. */
async function clickButton(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name }).or(page.getByRole('menuitem', { name }));
  await button.first().scrollIntoViewIfNeeded();
  const box = await button.first().boundingBox();
  if (!box) throw new Error(`the button ${name} is not shown`);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** The bars of the corpus that a result misses. */
export function missedBars({ form, outcome, hasArrived }: FormResult): string[] {
  const { truth, field } = form;
  const missed: string[] = [];
  if (isSent(form) !== hasArrived) missed.push(hasArrived ? 'the page sent it' : 'the page did not send it');
  if (truth !== 'accepted' && outcome.verdict === 'accepted') missed.push('accepted although it was not');
  if (truth === 'accepted' && outcome.verdict !== 'accepted')
    missed.push(`${outcome.verdict} although it was accepted`);
  if (truth === 'rejected' && outcome.verdict !== 'rejected')
    missed.push(`${outcome.verdict} although it was rejected`);
  if (field && !namesField(outcome, field)) missed.push(`does not name ${field}`);
  if (truth === 'pending' && outcome.pending === '') missed.push('does not say what is pending');
  return missed;
}

/** Whether a page that works sends it: what the library refuses stays there, and so does a click that is no submission. */
const isSent = ({ answer, truth }: FormCase) => answer !== 'created' || truth === 'accepted';

/** Only the refused field, whatever the library adds to its name. */
export const namesField = ({ fields }: SubmissionOutcome, field: string): boolean =>
  fields.length > 0 &&
  fields.every(({ name }) =>
    name
      .replaceAll(/[^\p{L} ]/gu, '')
      .trim()
      .startsWith(field),
  );
