import type { Json } from '../../platform/json.ts';
import { BASE_URL_MISSING, hasKnownSite } from './base-url.ts';
import { fieldTypeName, typedExample, visibilityConditions } from './field-traits.ts';
import { isRequiredField } from './required-fields.ts';
import type { StoredWizard } from './wizard-folder.ts';
import { wizardFileName } from './wizard-id.ts';
import type { Wizard, WizardField } from './wizard-schema.ts';

export interface WizardSummary {
  wizard_id: string;
  name: string;
  url: string;
  total_pages: number;
  discovered_at: string;
  description: string;
}

export function summarizeWizard({
  wizard_id,
  name,
  url,
  total_pages,
  discovered_at,
  description,
}: Wizard): WizardSummary {
  return {
    wizard_id: wizardFileName(wizard_id),
    name,
    url,
    total_pages,
    discovered_at: discovered_at.replace('.000Z', 'Z'),
    description: hasKnownSite(url) ? (description ?? name) : `${description ?? name} (${BASE_URL_MISSING})`,
  };
}

interface UserDataEntry {
  description: string;
  type: string;
  example: Json;
  allowed_values?: string[];
  /** Required only under this condition. */
  required_when?: string;
  /** Optional, and asked only under this condition. */
  asked_when?: string;
}

export interface WizardInfo extends WizardSummary {
  pages_summary: { page_number: number; page_title: string; field_count: number; required_fields: string[] }[];
  required_user_data: Record<string, UserDataEntry>;
  optional_user_data: Record<string, UserDataEntry>;
}

/** What a caller needs to gather user data: by page for a person, by key for a program. */
export function describeWizard(stored: Pick<StoredWizard, 'wizard' | 'schema' | 'ownSchema'>): WizardInfo {
  const { wizard } = stored;
  const isNeeded = (field: WizardField) =>
    isRequiredField(stored, field) || (field.repeatable && field.min_instances > 0);
  const fields = wizard.pages.flatMap((page) => page.fields);
  const needs = (wanted: boolean) =>
    Object.fromEntries(
      fields
        .filter((field) => isNeeded(field) === wanted)
        .map((field) => [field.field_id, userDataEntryFor(field, wanted)]),
    );
  return {
    ...summarizeWizard(wizard),
    pages_summary: wizard.pages.map(({ page_number, page_title, fields }) => ({
      page_number,
      page_title,
      field_count: fields.length,
      required_fields: fields.filter(isNeeded).map(({ label }) => label),
    })),
    required_user_data: needs(true),
    optional_user_data: needs(false),
  };
}

function userDataEntryFor(field: WizardField, isNeeded: boolean): UserDataEntry {
  const options = (field.options ?? []).map(({ value }) => value);
  const conditions = visibilityConditions(field).map(({ field: other, equals, one_of, not }) => {
    if (one_of !== undefined) return `${other} is one of ${one_of.join(', ')}`;
    return equals !== undefined ? `${other} is ${equals}` : `${other} is not ${not}`;
  });
  return {
    description: field.label,
    type: fieldTypeName(field),
    example: typedExample(field),
    ...(options.length > 0 && { allowed_values: options.slice(0, 100) }),
    ...(conditions.length > 0 && { [isNeeded ? 'required_when' : 'asked_when']: conditions.join(' and ') }),
  };
}
