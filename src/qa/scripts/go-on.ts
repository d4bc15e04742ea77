import { type Control, isField, type PageReading } from '../../platform/page/model.ts';
import { validValue } from '../cases/values.ts';
import type { FormEvidence } from '../scan/evidence.ts';
import { formOf } from '../scan/facts.ts';
import { lastingly } from './lasting.ts';
import type { Pen } from './pen.ts';
import { takeProposal } from './proposals.ts';
import { factsOf, keyOf, placeOf, stepsToSet } from './write-steps.ts';

const MOST_PAGES = 8;

/**
 * Fills in and sends every page that follows, until there is nothing more to fill in, a page refuses to go on, or there were
 * as many as wanted. Says which there were; one of them may be sent with a double click.
 */
export async function goOn(pen: Pen, { from, sentTwice, most = MOST_PAGES }: GoingOn): Promise<FormEvidence[]> {
  const pages: FormEvidence[] = [];
  while (pages.length < most) {
    const reading = await pen.read();
    // The first page is still there: it was refused, or there is no other.
    if (pages.length === 0 && isSame(reading, from)) return pages;
    const next = primaryButton(reading);
    if (!next) return pages;
    const url = pen.page().url();
    const before = url + JSON.stringify(reading.headings);
    const fields = fieldsBeside(reading, next);
    pages.push(formOf(next, fields, next, url));
    for (const control of fields) await fillLive(pen, control);
    await pen.turn({ do: 'click', on: placeOf(lastingly(next, reading)), times: pages.length === sentTwice ? 2 : 1 });
    const after = await pen.read();
    if (before === pen.page().url() + JSON.stringify(after.headings)) return pages;
  }
  return pages;
}

interface GoingOn {
  /** The first page, before it was sent. */
  from: PageReading;
  /** Which of them, from 1, is sent with a double click. */
  sentTwice?: number | undefined;
  most?: number | undefined;
}

function isSame(one: PageReading, other: PageReading): boolean {
  const shape = ({ url, headings, controls }: PageReading) =>
    JSON.stringify([
      url,
      headings,
      controls.flatMap((control) => (isShown(control) ? [keyOf(control), control.name] : [])),
    ]);
  return shape(one) === shape(other);
}

const isShown = (control: Control) => isField(control) && control.visible;

async function fillLive(pen: Pen, control: Control): Promise<void> {
  const isSet = control.value !== '' && !['number', 'range'].includes(control.kind);
  if (control.readOnly || control.disabled || isSet || control.checked !== null) {
    if (control.checked === false && control.required)
      for (const step of stepsToSet(control, 'true')) await pen.write(step);
    return;
  }
  if (control.kind === 'file' && !control.required) return;
  const value = control.kind === 'file' ? 'assay-test.txt' : validValue(factsOf(control));
  if (value === undefined || value === '') return;
  pen.note(keyOf(control), placeOf(control));
  if (await takeProposal(pen, control)) return;
  for (const step of stepsToSet(control, value)) await pen.write(step);
}

const forward =
  /^(continue|next|proceed|submit|send|apply|confirm|review|place (the )?order|pay now|finish|complete|book|save|done|weiter|buy)\b/i;
const elsewhere =
  /search|find|filter|subscribe|newsletter|log ?out|sign ?out|cancel|back|delete|remove|voucher|coupon|language/i;

/** The button that leads to the next page of a form with stages. */
function primaryButton({ controls }: PageReading): Control | undefined {
  const buttons = controls.filter(
    ({ kind, visible, disabled, name }) =>
      (kind === 'submit' || kind === 'button') && visible && !disabled && !elsewhere.test(name),
  );
  return buttons.find(({ name, form }) => forward.test(name) && form) ?? buttons.find(({ name }) => forward.test(name));
}

function fieldsBeside({ controls }: PageReading, button: Control): Control[] {
  return controls.filter((control) => isShown(control) && control.form?.index === button.form?.index);
}
