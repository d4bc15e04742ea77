import { quote } from '../../../platform/errors.ts';
import { type FoundElement, findByLadder } from '../../../platform/page/locate/element-finder.ts';
import type { WizardField, WizardPage } from '../../files/wizard-schema.ts';
import { isFieldAsked } from '../../validation/visibility.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { type FilledField, fillField } from './fill-fields.ts';
import { toSettable } from './page-controls.ts';

const typed: readonly WizardField['field_type'][] = ['text', 'number', 'textarea', 'search', 'date'];

/** Clears the fields that user data sets to an empty text and that the page has prefilled. */
export async function clearFields(run: WizardRun, page: WizardPage): Promise<FilledField[]> {
  const emptied: FilledField[] = [];
  for (const field of page.fields) {
    if (run.data[field.field_id] !== '' || run.answers.has(field.field_id) || !isFieldAsked(field, run.answers))
      continue;
    if (field.field_type === 'group') continue;
    const found = await findNow(run, field);
    if (!found?.facts.visible || found.facts.value === '') continue;
    if (typed.includes(field.field_type) && !found.facts.disabled) {
      const filling = { field, answer: { kind: 'text' as const, text: '' } };
      emptied.push({ ...filling, result: await fillField(run, filling) });
      run.warnings.push(`${field.field_id}: the page had filled it in; it was cleared, because "" was given.`);
    } else if (found.facts.checked === null)
      run.warnings.push(`${field.field_id}: "" was given, but ${quote(field.label)} keeps the value of the page.`);
  }
  return emptied;
}

/** A field that is missing now needs no clearing, so a failed search is no error. */
function findNow(run: WizardRun, field: WizardField): Promise<FoundElement | undefined> {
  const { ladder, kind } = toSettable(field);
  return findByLadder(run.page(), ladder, { kind }, { timeoutMs: 1 }).catch(() => undefined);
}
