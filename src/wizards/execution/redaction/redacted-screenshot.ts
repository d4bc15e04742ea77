import type { Frame } from 'playwright-core';
import { takeMaskedScreenshot } from '../../../platform/page/capture/private-text.ts';
import { locateRung } from '../../../platform/page/locate/element-finder.ts';
import { awaitWithin } from '../../../platform/page/settle/time-limit.ts';
import { isPrivateField } from '../../files/private-fields.ts';
import type { WizardField, WizardSubField } from '../../files/wizard-schema.ts';
import { ladderOf } from '../fill/page-controls.ts';
import { isOwnSite } from '../navigate/site-boundary.ts';
import type { WizardRun } from '../run/wizard-run.ts';

export interface Screenshot {
  page: number | 'results';
  title: string;
  /** What the result contains for the picture: its URI, or base64. */
  image: string;
}

/** Whether the tab shows anything: a new tab and an error page of the browser are blank. */
export function canCapture({ page }: Pick<WizardRun, 'page'>): boolean {
  return !page().isClosed() && !/^(?:about:blank|chrome-error:)/.test(page().url());
}

/** Takes a JPEG of the page with a mask over every private text and field. */
export async function captureRedactedScreenshot(
  run: WizardRun,
  quality: number,
  mostBytes: number,
  limitMs = 5_000,
): Promise<Buffer> {
  const timeoutMs = Math.min(limitMs, run.remainingMs());
  const page = run.page();
  const known = run.stored.wizard.pages.flatMap(({ fields }) => fields);
  // If the page does not answer, the whole page is masked, and time must be left for the screenshot.
  const empty = (await awaitWithin(findEmptyPrivateFields(run, known), timeoutMs / 4)) ?? new Set();
  const own = known.filter((field) => !empty.has(field)).flatMap(privateParts);
  const masked = own.flatMap((part) => ladderOf(part).map((rung) => locateRung(page, rung)));
  // A canvas has no text to search, so it is always masked.
  if (run.redactor.pattern !== '') masked.push(...page.frames().map((frame) => frame.locator('canvas')));
  // The site of the form receives all entered values in any case.
  const isGivenTo = (frame: Frame) => isOwnSite(run.stored.wizard, frame.url());
  const hidden = { source: run.redactor.pattern, alone: [], isGivenTo };
  const taken = await takeMaskedScreenshot(page, hidden, { quality, masked, mostBytes, timeoutMs });
  if (!taken.isWhole)
    run.warnings.push(`The screenshot of page ${run.pageNumber} is masked completely: private data moved on the page.`);
  return taken.picture;
}

/** Private fields without a value: a mask would suggest that they have one. */
async function findEmptyPrivateFields(run: WizardRun, fields: readonly WizardField[]): Promise<Set<WizardField>> {
  const open = fields.filter(
    (field) =>
      isPrivateField(field) &&
      !run.answers.has(field.field_id) &&
      ['text', 'number', 'textarea', 'date'].includes(field.field_type) &&
      !field.sub_fields?.length,
  );
  const isEmpty = async (field: WizardField) => {
    const emptyChecks = ladderOf(field).map((rung) => locateRung(run.page(), rung).evaluateAll(isEmptyInPage));
    return (await Promise.all(emptyChecks.map((each) => each.catch(() => false)))).every(Boolean);
  };
  const found = await Promise.all(open.map(async (field) => ((await isEmpty(field)) ? [field] : [])));
  return new Set(found.flat());
}

/** Runs in the page. */
function isEmptyInPage(elements: readonly Element[]): boolean {
  return elements.every((element) => 'value' in element && element.value === '');
}

/** The private parts of a field: the field itself, or some of its sub-fields. */
function privateParts(field: WizardField): (WizardField | WizardSubField)[] {
  const parts = field.sub_fields ?? [];
  if (!isPrivateField(field)) return parts.filter(isPrivateField);
  const options = (field.options ?? []).flatMap((option) =>
    option.selector ? [{ ...field, selector: option.selector, locators: option.locators ?? [] }] : [],
  );
  return [field, ...parts, ...options];
}
