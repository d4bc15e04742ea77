import type { Json } from '../../platform/json.ts';
import { isPlaced, UNPLACED } from './base-url.ts';
import { conditionsOf, exampleOf, typeName } from './fields.ts';
import type { StoredWizard } from './folder.ts';
import { fileNameOf } from './ids.ts';
import { isRequired } from './required.ts';
import type { Wizard, WizardField } from './wizard.ts';

export interface WizardSummary {
  wizard_id: string;
  name: string;
  url: string;
  total_pages: number;
  discovered_at: string;
  description: string;
}

export function summaryOf({ wizard_id, name, url, total_pages, discovered_at, description }: Wizard): WizardSummary {
  return {
    wizard_id: fileNameOf(wizard_id),
    name,
    url,
    total_pages,
    discovered_at: discovered_at.replace('.000Z', 'Z'),
    description: isPlaced(url) ? (description ?? name) : `${description ?? name} (${UNPLACED})`,
  };
}

interface DataNeed {
  description: string;
  type: string;
  example: Json;
  allowed_values?: string[];
  /** Asked for, and needed, only then. */
  required_when?: string;
  /** Asked for only then, and not needed even so. */
  asked_when?: string;
}

export interface WizardInfo extends WizardSummary {
  pages_summary: { page_number: number; page_title: string; field_count: number; required_fields: string[] }[];
  required_user_data: Record<string, DataNeed>;
  optional_user_data: Record<string, DataNeed>;
}

/** What somebody has to know to gather the data: by page for a person, by key for a program. */
export function infoOf(stored: Pick<StoredWizard, 'wizard' | 'schema' | 'ownSchema'>): WizardInfo {
  const { wizard } = stored;
  const isNeeded = (field: WizardField) => isRequired(stored, field) || (field.repeatable && field.min_instances > 0);
  const fields = wizard.pages.flatMap((page) => page.fields);
  const needs = (wanted: boolean) =>
    Object.fromEntries(
      fields.filter((field) => isNeeded(field) === wanted).map((field) => [field.field_id, needOf(field, wanted)]),
    );
  return {
    ...summaryOf(wizard),
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

function needOf(field: WizardField, isNeeded: boolean): DataNeed {
  const options = (field.options ?? []).map(({ value }) => value);
  const conditions = conditionsOf(field).map(({ field: other, equals, one_of, not }) => {
    if (one_of !== undefined) return `${other} is one of ${one_of.join(', ')}`;
    return equals !== undefined ? `${other} is ${equals}` : `${other} is not ${not}`;
  });
  return {
    description: field.label,
    type: typeName(field),
    example: exampleOf(field),
    ...(options.length > 0 && { allowed_values: options.slice(0, 100) }),
    ...(conditions.length > 0 && { [isNeeded ? 'required_when' : 'asked_when']: conditions.join(' and ') }),
  };
}
