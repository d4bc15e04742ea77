import { quote } from '../../platform/errors.ts';
import { type Found, find } from '../../platform/page/ladder.ts';
import type { WizardField, WizardPage } from '../files/wizard.ts';
import { isAsked } from '../validation/conditions.ts';
import { fillField } from './field.ts';
import type { Kept } from './kept.ts';
import type { Run } from './run.ts';
import { settableOf } from './settables.ts';

const typed: readonly WizardField['field_type'][] = ['text', 'number', 'textarea', 'search', 'date'];

/** Fields that nothing was asked to be in, by an empty text, and that the page has filled in by itself. */
export async function emptyFields(run: Run, page: WizardPage): Promise<Kept[]> {
  const emptied: Kept[] = [];
  for (const field of page.fields) {
    if (run.data[field.field_id] !== '' || run.answers.has(field.field_id) || !isAsked(field, run.answers)) continue;
    if (field.field_type === 'group') continue;
    const found = await foundNow(run, field);
    if (!found?.facts.visible || found.facts.value === '') continue;
    if (typed.includes(field.field_type) && !found.facts.disabled) {
      const filling = { field, answer: { kind: 'text' as const, text: '' } };
      emptied.push({ ...filling, result: await fillField(run, filling) });
      run.notes.push(`${field.field_id}: the page had filled it in; it was emptied, as "" was given.`);
    } else if (found.facts.checked === null)
      run.notes.push(`${field.field_id}: "" was given, but ${quote(field.label)} is left as the page has it.`);
  }
  return emptied;
}

/** What is not there now need not be emptied. */
function foundNow(run: Run, field: WizardField): Promise<Found | undefined> {
  const { ladder, kind } = settableOf(field);
  return find(run.page(), ladder, { kind }, { timeoutMs: 1 }).catch(() => undefined);
}
