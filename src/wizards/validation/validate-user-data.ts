import type { JsonObject } from '../../platform/json.ts';
import { findNearestName } from '../../platform/text/nearest-name.ts';
import { phrasesOf } from '../../platform/text/phrase-table.ts';
import { datePartFields, visibilityConditions } from '../files/field-traits.ts';
import { isRequiredField, schemaProperty } from '../files/required-fields.ts';
import type { StoredWizard } from '../files/wizard-folder.ts';
import type { Wizard, WizardField } from '../files/wizard-schema.ts';
import { agreementLabel } from '../vocabulary/field-labels.ts';
import type { InvalidField, MissingField, ValidationWarning, WizardAnswer, WizardAnswers } from './answers.ts';
import { acceptDependentChoice } from './dependent-lists.ts';
import { readAnswer, readDateGroup } from './read-answer.ts';
import { isNoneOption } from './read-choice.ts';
import { isRecord, readGroupAnswer } from './read-groups.ts';
import { redactNote, redactValue } from './redact-values.ts';
import { createSchemaCompiler, type SchemaCompiler } from './schema-compiler.ts';
import { answerToJson, findSchemaProblems } from './schema-problems.ts';
import { checkSplitDates, gatherDateParts, splitWholeDate } from './split-dates.ts';
import { canFieldBeAsked, isFieldAsked } from './visibility.ts';

export interface UserDataValidation {
  valid: boolean;
  missing_fields: MissingField[];
  invalid_fields: InvalidField[];
  warnings: ValidationWarning[];
  /** The values to set, for the fields that are asked. */
  answers: WizardAnswers;
}

/** Reads user data against all fields, and reports all problems at once. */
export function validateUserData(
  stored: StoredWizard,
  data: Readonly<Record<string, unknown>>,
  schemas: SchemaCompiler = createSchemaCompiler(),
): UserDataValidation {
  const { wizard } = stored;
  const fields = wizard.pages.flatMap((page) => page.fields);
  const reader = createReader(wizard, fields);
  const given = reader.named(data);
  for (const field of fields) {
    const value = given.get(field.field_id);
    if (value !== undefined && value !== null && value !== '') reader.read(field, value);
  }
  const { answers, invalid, warnings } = reader;
  checkSplitDates(wizard, answers, invalid, given);
  checkNoneOptions(wizard, answers, invalid);

  const asked = fields.filter(
    (field) => isFieldAsked(field, answers) || (answers.has(field.field_id) && canFieldBeAsked(field, answers)),
  );
  for (const field of asked) if (!isFieldAsked(field, answers)) warnings.push(untriedWarning(field));
  for (const field of fields)
    if (!asked.includes(field) && answers.delete(field.field_id)) warnings.push(ignoredWarning(field));
  const broken = new Set(invalid.map(({ field_id }) => field_id));
  const missing = asked
    .filter((field) => !answers.has(field.field_id) && !broken.has(field.field_id) && isRequiredField(stored, field))
    .map(missingField);
  const { unknown, leftToPage } = reader;
  addSchemaProblems(stored, schemas, { fields, asked, answers, missing, invalid, given, unknown, leftToPage });
  return {
    valid: missing.length === 0 && invalid.length === 0,
    missing_fields: missing,
    invalid_fields: invalid,
    warnings,
    answers,
  };
}

type GivenValues = ReadonlyMap<string, unknown>;

function createReader(wizard: Wizard, fields: readonly WizardField[]) {
  const answers = new Map<string, WizardAnswer>();
  const invalid: InvalidField[] = [];
  const warnings: ValidationWarning[] = [];
  const known = new Set(fields.map(({ field_id }) => field_id));
  /** Values that no field asks for. */
  const unknown = new Map<string, unknown>();
  /** Fields whose choices only the page knows. */
  const leftToPage = new Set<string>();

  const note = (field_id: string, message: string, severity: ValidationWarning['severity'] = 'low') =>
    void warnings.push({ field_id, message, severity });

  return {
    answers,
    invalid,
    warnings,
    unknown,
    leftToPage,

    /** The data by field id: aliases resolved, dates split, unknown keys reported. */
    named(data: Readonly<Record<string, unknown>>): GivenValues {
      const given = new Map(Object.entries(data).filter(([key]) => known.has(key)));
      for (const [key, value] of Object.entries(data)) {
        if (known.has(key)) continue;
        const alias = fields.find(({ aliases = [] }) => aliases.includes(key));
        if (alias && !given.has(alias.field_id)) {
          given.set(alias.field_id, value);
          note(alias.field_id, `taken from ${key}`);
        } else if (!splitWholeDate(wizard, key, value, given, note) && !gatherDateParts(fields, key, value, given)) {
          const near = findNearestName(key, [...known]);
          unknown.set(key, value);
          note(
            key,
            `is not asked for by this wizard${near ? `; did you mean ${near}?` : ''}`,
            near ? 'high' : 'medium',
          );
        }
      }
      return given;
    },

    read(field: WizardField, value: unknown): void {
      const bad = (error: string, expected: string) =>
        void invalid.push({
          field_id: field.field_id,
          provided_value: redactValue(field, value),
          expected_type: expected,
          error,
        });
      if (field.field_type === 'group' && !datePartFields(field)) {
        const answer = readGroupAnswer(field, value, bad, note);
        if (answer) answers.set(field.field_id, answer);
        return;
      }
      const read = readDateGroup(field, value) ?? readAnswer(field, value);
      const open = read.answer ? undefined : acceptDependentChoice(wizard, field, value);
      const answer = read.answer ?? open;
      if (answer) answers.set(field.field_id, answer);
      else if (!read.answer) bad(read.error, read.expected);
      if (open) leftToPage.add(field.field_id);
      if (open)
        note(
          field.field_id,
          'is not one of the choices that the discovery saw; the page decides whether it exists',
          'medium',
        );
      if (read.answer && read.note) note(field.field_id, redactNote(field, read.note), read.severity);
    },
  };
}

/** Rejects "None of these apply" together with another choice, as separate checkboxes. */
function checkNoneOptions(wizard: Wizard, answers: WizardAnswers, invalid: InvalidField[]): void {
  const isOn = (field: WizardField) => {
    const answer = answers.get(field.field_id);
    return field.field_type === 'checkbox' && answer?.kind === 'switch' && answer.on;
  };
  for (const { fields } of wizard.pages) {
    const on = fields.filter(isOn);
    const none = on.find(({ label }) => isNoneOption(label.split(' - ').at(-1) ?? label));
    const other = none && on.find((field) => field !== none && isChoiceOfSameQuestion(none, field));
    if (!other) continue;
    const error = `excludes the other choices of its question, but ${other.field_id} is also true`;
    invalid.push({ field_id: none.field_id, provided_value: true, expected_type: 'boolean', error });
  }
}

const agreement = new RegExp(phrasesOf(agreementLabel), 'i');

/** Whether a checkbox belongs to the same question as "None of these": it is no agreement and has the same question. */
function isChoiceOfSameQuestion(none: WizardField, { label, required, surroundings }: WizardField): boolean {
  if (required || agreement.test(label)) return false;
  const asked = none.surroundings?.question;
  if (asked !== undefined && surroundings) return surroundings.question === asked;
  const [group, own] = [none.label, label].map((text) => text.split(' - ').slice(0, -1).join(' - '));
  return !group || !own || group === own;
}

interface ValidationState {
  fields: readonly WizardField[];
  asked: readonly WizardField[];
  answers: WizardAnswers;
  missing: MissingField[];
  invalid: InvalidField[];
  given: GivenValues;
  unknown: GivenValues;
  leftToPage: ReadonlySet<string>;
}

/** Adds the problems that only the schema knows: patterns, ranges, rules between fields, keys that it does not allow. */
function addSchemaProblems(
  { schema }: StoredWizard,
  schemas: SchemaCompiler,
  { fields, asked, answers, missing, invalid, given, unknown, leftToPage }: ValidationState,
): void {
  const known = new Set([...missing, ...invalid].map(({ field_id }) => field_id));
  const data: JsonObject = {};
  for (const [id, answer] of answers) data[id] = answerToJson(answer, schemaProperty(schema, id));
  // The schema has only the choices of the discovery, so one of them stands for a choice of the page.
  for (const { field_id, options = [] } of fields)
    if (leftToPage.has(field_id) && answers.has(field_id)) data[field_id] = options[0]?.value ?? '';
  for (const [id, value] of unknown) data[id] = isRecord(value) || Array.isArray(value) ? {} : String(value);
  for (const { field: id, missing: isMissing, error, expected } of findSchemaProblems(schema, data, schemas)) {
    const field = fields.find(({ field_id }) => field_id === id);
    // A field that is not asked may be missing; a reported field is not reported twice.
    if ((field && !asked.includes(field)) || (id && known.has(id))) continue;
    // For a key that no page asks for, the schema decides only whether it is allowed or missing.
    if (!field && unknown.has(id) && expected !== 'nothing') continue;
    known.add(id);
    if (isMissing) missing.push(field ? missingField(field) : { label: id, field_id: id, example: '', required: true });
    else {
      const provided_value = field ? redactValue(field, given.get(id)) : null;
      invalid.push({ field_id: id, provided_value, expected_type: expected, error });
    }
  }
}

function missingField({ label, field_id, example_value }: WizardField): MissingField {
  const example = typeof example_value === 'string' ? example_value : JSON.stringify(example_value);
  return { label, field_id, example, required: true };
}

const conditionNames = (field: WizardField) =>
  visibilityConditions(field)
    .map((condition) => condition.field)
    .join(' and ');

function ignoredWarning(field: WizardField): ValidationWarning {
  return {
    field_id: field.field_id,
    message: `is not asked for with this answer to ${conditionNames(field)}, so it is left out`,
    severity: 'medium',
  };
}

function untriedWarning(field: WizardField): ValidationWarning {
  return {
    field_id: field.field_id,
    message: `was not seen with this answer to ${conditionNames(field)}; it is filled in if the page asks for it, otherwise the run fails`,
    severity: 'medium',
  };
}
