import { rungToSelector, selectorToRung } from '../../../platform/page/locate/rung-selector.ts';
import type { Control, PageError, PageReading } from '../../../platform/page/page-model.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { readTextsAt } from '../../../platform/page/snapshot/visible-texts.ts';
import { phrasesOf } from '../../../platform/text/phrase-table.ts';
import type { WizardField, WizardSubField } from '../../files/wizard-schema.ts';
import { foldText } from '../../validation/read-values.ts';
import { redactValue } from '../../validation/redact-values.ts';
import { errorPrefix } from '../../vocabulary/benign-messages.ts';
import type { SiteComplaint } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { isBenignMessage, knownResultsText } from './benign-messages.ts';

/** The validation messages of the open page, each with the label of its wizard field. */
export async function listComplaints(run: WizardRun): Promise<SiteComplaint[]> {
  return (await readComplaints(run)).complaints;
}

export async function readComplaints(run: WizardRun): Promise<{ reading: PageReading; complaints: SiteComplaint[] }> {
  const reading = await readPage(run.page(), { timeoutMs: Math.min(5_000, run.remainingMs()) });
  return { reading, complaints: complaintsIn(run, reading, await readErrorSelector(run)) };
}

/** The texts at the error selector of the file. */
export async function readErrorSelector(run: WizardRun): Promise<string[]> {
  const selector = run.stored.wizard.pages[run.pageNumber - 1]?.validation?.error_selector?.trim();
  if (!selector) return [];
  const texts = await readTextsAt(run.page(), [selectorToRung(selector)]).catch(() => new Map<string, string[]>());
  return [...texts.values()]
    .flat()
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean);
}

function complaintsIn(run: WizardRun, reading: PageReading, said: readonly string[]): SiteComplaint[] {
  const placed = said.map((text) => ({ text, control: '', order: null }));
  const isSaidAlways = knownResultsText(run);
  const errors = reading.errors.filter(({ text }) => !isSaidAlways(text) && !isBenignMessage(text));
  const found = [...withoutSummary(errors, reading), ...placed].map((error) => complaintOf(run, reading, error));
  const marked = reading.controls
    .filter(({ invalid, error, visible }) => visible && (error || invalid))
    .map(({ error, name, order }) => complaintOf(run, reading, { text: error, control: name, order }));
  const general = found.filter(({ field, message }) => field === WHOLE_FORM && message);
  const precise = shortest([...found, ...marked].filter(({ field, message }) => field !== WHOLE_FORM && message));
  const silent = marked.filter(({ field }) => !precise.some((one) => one.field === field));
  const unexplained = unique(silent.map((one) => ({ ...one, message: general[0]?.message ?? 'is marked as invalid' })));
  const all = [...precise, ...unexplained];
  return all.length > 0 ? all : shortest(general);
}

/** Removes an error summary above the form that repeats the messages of the fields. */
function withoutSummary(errors: readonly PageError[], { controls, headings }: PageReading): PageError[] {
  const links = controls.filter(({ kind, name }) => kind === 'link' && name !== '').map(({ name }) => name);
  const titles = new Set(headings.map(({ text }) => text));
  const listed = errors.map((error) => {
    const link = error.order === null ? undefined : links.find((name) => error.text.endsWith(name));
    const before = error.text.slice(0, -(link?.length ?? 0)).trim();
    const isListed = link !== undefined && (link === error.text || titles.has(before));
    return isListed ? { error: { ...error, text: link }, isListed } : { error, isListed };
  });
  const isSaidBeside = (order: number | null) => listed.some((one) => !one.isListed && one.error.order === order);
  return listed.filter(({ error, isListed }) => !isListed || !isSaidBeside(error.order)).map(({ error }) => error);
}

export const WHOLE_FORM = 'The form';

function complaintOf(
  run: WizardRun,
  { controls }: PageReading,
  { text, control: name, order }: PageError,
): SiteComplaint {
  const control = order === null ? undefined : controls[order];
  const field = control && fieldOfControl(run, control);
  return {
    field: field?.label || run.redactor.pageText(name) || WHOLE_FORM,
    message: run.redactor.pageText(withoutErrorPrefix(withoutHint(text, field))).slice(0, 300),
    provided_value: redactValue(field, field ? (run.data[field.field_id] ?? null) : null),
  };
}

/** Removes the hint of a field, which is shown whether the value is valid or not. */
function withoutHint(text: string, field: WizardField | WizardSubField | undefined): string {
  const hint = field?.surroundings?.hint;
  return hint ? text.replace(hint, '') : text;
}

const prefix = new RegExp(`^(?:${phrasesOf(errorPrefix)})[:.]?\\s+`, 'i');

function withoutErrorPrefix(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.replace(prefix, '');
}

/** Sites repeat a message beside the field, in a summary and in a combined list; this keeps the shortest form. */
function shortest(complaints: readonly SiteComplaint[]): SiteComplaint[] {
  return unique(complaints).filter(
    (one) =>
      !complaints.some(
        (other) => other.field === one.field && other.message !== one.message && one.message.includes(other.message),
      ),
  );
}

function unique(complaints: readonly SiteComplaint[]): SiteComplaint[] {
  return [...new Map(complaints.map((one) => [`${one.field}: ${one.message}`, one])).values()];
}

/** The field of the current page that a control belongs to. */
export function fieldOfControl(run: WizardRun, control: Control): WizardField | undefined {
  return matchComplaintField(run.stored.wizard.pages[run.pageNumber - 1]?.fields ?? [], control);
}

/** The field, or the part of one, that a control belongs to: matched by a locator, else by name. */
export function matchComplaintField<Field extends WizardField | WizardSubField>(
  fields: readonly Field[],
  control: Control,
): Field | undefined {
  const ways = new Set([control, ...control.options].flatMap(({ ladder }) => ladder.map(rungToSelector)));
  const byWay = fields.find((field) =>
    [
      field.selector,
      ...(field.locators ?? []),
      ...(field.options ?? []).flatMap(({ selector = '' }) => [selector]),
    ].some((way) => ways.has(way)),
  );
  const names = [control.name, control.group].filter(Boolean).map(foldText);
  return byWay ?? fields.find(({ label }) => label !== undefined && names.includes(foldText(label)));
}
