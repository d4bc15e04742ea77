import type { Wizard, WizardField } from '../files/wizard-schema.ts';
import type { WizardAnswer } from './answers.ts';

/** What is narrowed down step by step: the choices of each depend on what was chosen before it. */
const narrowingSteps: readonly (readonly RegExp[])[] = [
  [
    /\bcountry\b|\bnation\b/i,
    /\b(?:state|province|region|territory|zip|postcode)\b/i,
    /\b(?:county|district|parish|borough|municipality)\b/i,
    /\b(?:city|town|village|community)\b/i,
    /\b(?:neighbou?rhood|ward|precinct|school|college|campus|office|branch|location|station|clinic|hospital)\b/i,
  ],
  [/\bvehicle year\b|\bmodel year\b/i, /\b(?:make|brand|manufacturer)\b/i, /\bmodel\b/i, /\b(?:trim|version)\b/i],
  [
    /\b(?:category|department|industry|sector|faculty)\b/i,
    /\bsub-?\s?\w+|\b(?:program(?:me)?|major|special(?:i)?ty|course|service)\b/i,
  ],
  [/\b(?:date|day)\b/i, /\b(?:time|slot)\b/i],
];

/**
 * A choice in a list that may have other choices with other answers: what was seen at discovery are those of one answer, and
 * only the page knows the others. Undefined where the list is the same for everybody.
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
  return narrowingSteps.some((steps) => {
    const own = stepOf(steps, field);
    return before.some((one) => {
      const step = stepOf(steps, one);
      return step >= 0 && step < own;
    });
  });
}

const isChoice = ({ field_type, field_id }: WizardField) =>
  ['select', 'radio', 'typeahead', 'search', 'date'].includes(field_type) || /zip|postcode/i.test(field_id);

/** "City of birth, state and country" is the most particular of them. */
const stepOf = (steps: readonly RegExp[], { label, field_id }: WizardField) =>
  steps.findLastIndex((step) => step.test(`${label} ${field_id.replaceAll('_', ' ')}`));
