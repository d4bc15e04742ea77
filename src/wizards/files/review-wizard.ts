import { quote } from '../../platform/errors.ts';
import { visibilityConditions } from './field-traits.ts';
import type { Wizard } from './wizard-schema.ts';

export interface WizardReview {
  valid: boolean;
  total_pages: number;
  total_fields: number;
  warnings: string[];
}

/** Errors and warnings about a wizard as a whole. It is valid if there are no errors. */
export function reviewWizard(wizard: Wizard): WizardReview {
  const fields = wizard.pages.flatMap((page) => page.fields.map((field) => ({ page: page.page_number, field })));
  const known = new Set(fields.map(({ field }) => field.field_id));
  const warnings = wizard.pages.filter((page) => page.fields.length === 0).map((page) => emptyPage(page.page_number));
  const errors: string[] = [];
  for (const { page, field } of fields) {
    const name = `'${field.label}' on page ${page}`;
    if (field.repeatable && !Array.isArray(field.example_value))
      warnings.push(`Repeatable field ${name} should have example_value as a list of objects`);
    if (field.field_type === 'radio' && !field.options?.length)
      warnings.push(`Radio field ${name} has no options, so only its example value can be chosen safely`);
    for (const condition of visibilityConditions(field))
      if (!known.has(condition.field))
        errors.push(`Field ${name} depends on ${condition.field}, which no page asks for`);
  }
  if (!wizard.results || Object.keys(wizard.results).length === 0)
    warnings.push(
      wizard.results_page?.heading
        ? `No results are named. The form counts as submitted when the page heading is ${quote(wizard.results_page.heading)}`
        : 'No results are named. Only a last page with labelled values counts as results',
    );
  warnings.unshift(...errors);
  return { valid: errors.length === 0, total_pages: wizard.pages.length, total_fields: fields.length, warnings };
}

const emptyPage = (page: number) => `Page ${page} has no fields defined`;
