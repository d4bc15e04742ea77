import type { PageControl, PageSnapshot } from '../snapshot/page-snapshot.ts';
import type { FormComparison } from './form-comparison.ts';
import type { OutcomeView, RefusedField } from './outcome-model.ts';
import type { AnsweredError } from './response-errors.ts';

/**
 * The fields that the page or the browser marks as wrong. If something was sent, only what is new since then: before that, a page may
 * mark what is still empty.
 */
export function findRefusedFields(
  before: OutcomeView,
  after: OutcomeView,
  { form, isSent }: { form: FormComparison; isSent: boolean },
): RefusedField[] {
  const marked = form.pairs.flatMap(({ before: was, after: now }): RefusedField[] => {
    const text = now && (errorText(was, now, isSent) ?? (isMarked(was, now, isSent) ? '' : undefined));
    return now === undefined || text === undefined ? [] : [{ name: was.name || now.name, text, control: now.id }];
  });
  const known = new Set(isSent ? before.state.refused.map(({ name, message }) => `${name}: ${message}`) : []);
  const refused = after.state.refused.filter(({ name, message }) => !known.has(`${name}: ${message}`));
  const named = refused.map(({ name, message }) => locateField(name, message, after.snapshot));
  const all = [...marked, ...named, ...newGroupErrors(before.snapshot, after.snapshot)];
  return unique(all.length > 0 || isSent || !form.isKept ? all : newNotes(before, after));
}

/** A form that stays as it was and says something beside a field that it did not say before it was filled. */
function newNotes(before: OutcomeView, after: OutcomeView): RefusedField[] {
  if (before.state.document !== after.state.document) return [];
  const known = new Map(before.state.notes.map(({ name, text }) => [name, text]));
  return after.state.notes
    .filter(({ name, text }) => known.get(name) !== text)
    .map(({ name, text }) => locateField(name, text.replace(known.get(name) ?? '', '').trim(), after.snapshot));
}

const isMarked = (was: PageControl, now: PageControl, isSent: boolean) =>
  now.state.isInvalid && !(isSent && was.state.isInvalid);

/** What the page says about a field beside it: as its error, as a new description, or as an addition to its name. */
function errorText(was: PageControl, now: PageControl, isSent: boolean): string | undefined {
  if (now.error !== '' && !(isSent && now.error === was.error)) return now.error;
  if (was.name !== '' && now.name.length > was.name.length && now.name.startsWith(was.name))
    return now.name.slice(was.name.length).trim();
  if (now.description !== '' && !was.description.includes(now.description) && was.value === now.value)
    return now.description.replace(was.description, '').trim();
  return undefined;
}

function newGroupErrors(before: PageSnapshot, after: PageSnapshot): RefusedField[] {
  const known = new Set(before.groups.map(({ name, error }) => `${name}: ${error}`));
  return after.groups
    .filter(({ name, error }) => error !== '' && !known.has(`${name}: ${error}`))
    .map(({ name, error }) => ({ name, text: error, control: null }));
}

/** The fields that the site's answer names, by the accessible name of their control where it can be found. */
export function locateAnsweredErrors(errors: readonly AnsweredError[], { controls }: PageSnapshot): RefusedField[] {
  return errors.flatMap(({ field, text }): RefusedField[] => {
    if (field === '') return [];
    const control = controls.find((one) => hasKey(one, field));
    return [{ name: control?.name || field, text, control: control?.id ?? null }];
  });
}

const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Whether a control has this key as its name, id or label. */
function hasKey({ name, locators }: PageControl, key: string): boolean {
  const wanted = bare(key);
  if (wanted === '' || bare(name) === wanted) return wanted !== '';
  const words = locators.flatMap(({ value }) => value.split(/[^\p{L}\p{N}_-]+/u));
  return words.some((word) => bare(word) === wanted);
}

function locateField(name: string, text: string, { controls }: PageSnapshot): RefusedField {
  const control = controls.find((one) => bare(one.name) === bare(name)) ?? controls.find((one) => hasKey(one, name));
  return { name: control?.name || name, text, control: control?.id ?? null };
}

/** One entry for each field, the one with a text. */
function unique(fields: readonly RefusedField[]): RefusedField[] {
  const byName = new Map<string, RefusedField>();
  for (const field of fields) {
    const known = byName.get(field.name);
    if (!known || (known.text === '' && field.text !== '')) byName.set(field.name, field);
  }
  return [...byName.values()];
}
