import { quote } from '../../../platform/errors.ts';
import { isValueKept } from '../../../platform/page/act/value-comparison.ts';
import { findFrame, rungToCss } from '../../../platform/page/locate/element-target.ts';
import { selectorToRung } from '../../../platform/page/locate/rung-selector.ts';
import type { WizardField, WizardSubField } from '../../files/wizard-schema.ts';
import type { WizardAnswer, WizardAnswerRow } from '../../validation/answers.ts';
import { toIsoDate } from '../../validation/read-dates.ts';
import { foldText } from '../../validation/read-values.ts';
import { redactValue } from '../../validation/redact-values.ts';
import { siteValidationError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';

/** A saved row of a repeatable group, as the page shows it. */
interface ShownRow {
  /** Each value with the label above or beside it. */
  pairs: { label: string; value: string }[];
}

/** The rows that the page shows; undefined if the page does not mark them as rows. */
export async function readShownRows(run: WizardRun, field: WizardField): Promise<ShownRow[] | undefined> {
  const rung = selectorToRung(field.selector);
  const frame = await findFrame(run.page(), rung.frame ?? []);
  const where = { list: rungToCss(rung) ?? '', remove: field.remove_button_selector ?? '' };
  return (await frame?.evaluate(rowsInPage, where)) ?? undefined;
}

/**
 * Fails unless the page shows the new rows with the given values. Rows are compared by content, not by position,
 * because a page may sort them.
 */
export async function verifyShownRows(
  run: WizardRun,
  field: WizardField,
  rows: readonly WizardAnswerRow[],
  before: readonly ShownRow[] | undefined,
): Promise<void> {
  const after = await readShownRows(run, field);
  if (!after || !before) {
    run.warnings.push(`${field.field_id}: the page does not show its rows, so they were not verified`);
    return;
  }
  const refuse = (message: string) =>
    siteValidationError(run.pageNumber, [
      { field: field.label, message, provided_value: redactValue(field, run.data[field.field_id] ?? null) },
    ]);
  if (after.length !== before.length + rows.length)
    throw refuse(`the page shows ${after.length - before.length} rows after ${rows.length} were added`);
  const free = [...after];
  for (const [i, row] of rows.entries()) {
    const at = free.findIndex((shown) => findContradiction(field, row, shown) === undefined);
    const nearest = after[before.length + i];
    const what = nearest && findContradiction(field, row, nearest);
    if (at < 0) throw refuse(`row ${i + 1} was saved with another value${what ? ` for ${quote(what, 80)}` : ''}`);
    free.splice(at, 1);
  }
}

/** The label of a value that the row shows differently from the given one. */
function findContradiction(
  { sub_fields = [] }: WizardField,
  row: WizardAnswerRow,
  { pairs }: ShownRow,
): string | undefined {
  for (const sub of sub_fields) {
    const answer = row.get(sub.field_id);
    const label = foldText(sub.label ?? sub.field_id);
    const shown = pairs.find((pair) => foldText(pair.label) === label);
    const forms = answer && formsOf(sub, answer);
    if (shown && forms && forms.length > 0 && !forms.some((form) => isValueKept(form, shown.value)))
      return sub.label ?? sub.field_id;
  }
  return undefined;
}

/** The notations in which a page may show a value; empty if there are too many to prove a difference. */
function formsOf({ options = [] }: WizardSubField, answer: WizardAnswer): string[] {
  switch (answer.kind) {
    case 'text':
      return [answer.text];
    case 'choice':
      return [
        answer.value,
        ...options.filter(({ value }) => value === answer.value).flatMap(({ label }) => label || []),
      ];
    case 'date': {
      const [year = '', month = '', day = ''] = toIsoDate(answer.date).split('-');
      return /^\d{4}$/.test(year) ? [toIsoDate(answer.date), `${month}/${day}/${year}`] : [];
    }
    default:
      return [];
  }
}

/** Runs in the page. Returns null if the page has no distinguishable rows. */
function rowsInPage({ list, remove }: { list: string; remove: string }): ShownRow[] | null {
  const tidy = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
  const said = (element: Element | null | undefined) =>
    tidy(element instanceof HTMLElement ? element.innerText : element?.textContent);
  const first = (selector: string) => {
    try {
      return selector ? document.querySelector(selector) : null;
    } catch {
      return null;
    }
  };

  function byButtons(): Element[] | undefined {
    if (!remove.includes('{index}')) return undefined;
    const found: Element[] = [];
    for (let i = 0; i < 1_000; i++) {
      const button = first(remove.replaceAll('{index}', String(i)));
      const row = button?.closest('tr,li,[role=row],[role=listitem],fieldset,article') ?? button?.parentElement;
      if (!row) break;
      found.push(row);
    }
    return found;
  }

  function inList(): Element[] | undefined {
    const container = first(list);
    if (!container) return undefined;
    const rows = [...container.querySelectorAll('tr,[role=row]')].filter((row) => row.querySelector('td,[role=cell]'));
    if (rows.length > 0 || container.querySelector('table,[role=table],[role=grid]')) return rows;
    return container.querySelector('ul,ol') || container.matches('ul,ol')
      ? [...container.querySelectorAll('li')]
      : undefined;
  }

  function headersOf(row: Element): string[] {
    const head = row.closest('table,[role=table],[role=grid]')?.querySelector('tr,[role=row]');
    return head ? [...head.querySelectorAll('th,[role=columnheader]')].map(said) : [];
  }

  function pairsOf(row: Element): ShownRow['pairs'] {
    const headers = headersOf(row);
    const cells = [...row.querySelectorAll('td,th,[role=cell],[role=rowheader]')].map((cell, i) => {
      const input = cell.querySelector('input,select,textarea');
      const inputValue = input && 'value' in input ? String(input.value) : undefined;
      return { label: tidy(cell.getAttribute('data-label')) || (headers[i] ?? ''), value: inputValue ?? said(cell) };
    });
    const terms = [...row.querySelectorAll('dt')].map((term) => ({
      label: said(term),
      value: said(term.nextElementSibling),
    }));
    return [...cells, ...terms].filter(({ label }) => label !== '');
  }

  const rows = byButtons() ?? inList();
  return rows ? rows.map((row) => ({ pairs: pairsOf(row) })) : null;
}
