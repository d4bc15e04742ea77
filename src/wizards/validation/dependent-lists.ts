import { phrasesOf } from '../../platform/text/phrase-table.ts';
import type { Wizard, WizardField } from '../files/wizard-schema.ts';
import { narrowingSteps, postalCodeFieldId } from '../vocabulary/field-labels.ts';
import type { WizardAnswer } from './answers.ts';

/** Types of fields whose answer may decide about the choices of a later list. */
const narrowingFieldTypes: readonly string[] = ['select', 'radio', 'typeahead', 'search', 'date'];
const postalCode = new RegExp(phrasesOf(postalCodeFieldId), 'i');
const sequences = narrowingSteps.map(([, steps]) => steps.map((step) => new RegExp(step, 'i')));

/**
 * Accepts a choice that was not seen at the discovery, if the list depends on an earlier answer: only the page knows the choices
 * then. Undefined if the list does not depend on another field.
 */
export function acceptDependentChoice(wizard: Wizard, field: WizardField, given: unknown): WizardAnswer | undefined {
  if (field.field_type !== 'select' || field.multiple || !['string', 'number'].includes(typeof given)) return undefined;
  const value = String(given).trim();
  return value !== '' && isDependent(wizard, field) ? { kind: 'choice', value } : undefined;
}

function isDependent(wizard: Wizard, field: WizardField): boolean {
  if (typeof field['options_depend_on'] === 'string') return true;
  const fields = wizard.pages.flatMap((page) => page.fields);
  const before = fields.slice(0, fields.indexOf(field)).filter(isChoice);
  return sequences.some((steps) => {
    const own = stepOf(steps, field);
    return before.some((one) => {
      const step = stepOf(steps, one);
      return step >= 0 && step < own;
    });
  });
}

const isChoice = ({ field_type, field_id }: WizardField) =>
  narrowingFieldTypes.includes(field_type) || postalCode.test(field_id);

/** The most particular step counts: "City of birth, state and country" is a city. */
const stepOf = (steps: readonly RegExp[], { label, field_id }: WizardField) =>
  steps.findLastIndex((step) => step.test(`${label} ${field_id.replaceAll('_', ' ')}`));
