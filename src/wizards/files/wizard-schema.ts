import * as z from 'zod';
import { findCatastrophicPatterns } from '../../platform/text/pattern-time-limit.ts';
import { findFieldProblems } from './wizard-consistency.ts';

/**
 * The format of a wizard file: the questions of a form page by page, and how each element is found. It is structure format
 * 1.1.0 of the original system, read leniently so that its files load unchanged. Every addition is optional, and unknown
 * keys are kept.
 *
 * `{base_url}` at the start of `url` or `url_pattern` stands for the environment variable ASSAY_WIZARDS_BASE_URL, else for
 * `base_url` of the file, so that a file can be used for several sites (see base-url.ts).
 */

const fieldTypes = [
  'text',
  'number',
  'radio',
  'select',
  'typeahead',
  'checkbox',
  'group',
  'textarea',
  'search',
  'date',
] as const;

const interactions = ['fill', 'click', 'select', 'javascript_click', 'fill_enter'] as const;
const selectorTypes = ['text', 'id', 'css', 'auto'] as const;

const words = z.string().trim().min(1);
const wizardId = z.string().regex(/^[a-z0-9-]+$/, 'must consist of a-z, 0-9 and hyphens');
const fieldId = z
  .string()
  .trim()
  .regex(/^[a-z_][a-z0-9_]*$/, 'must consist of a-z, 0-9 and _, and not start with a digit');

/** A condition on another answer: the field is asked only if it is met. An answer with several choices meets it with any. */
const visibleWhenSchema = z.looseObject({
  field: fieldId,
  equals: z.union([z.string(), z.number(), z.boolean()]).optional(),
  one_of: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  not: z.union([z.string(), z.number(), z.boolean()]).optional(),
  /** Answers with which the page did not ask the field. If given, all other answers are untried, and the page decides. */
  hidden_with: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
});

/** One choice of a radio group, a select, a typeahead or a group of checkboxes. User data contains `value`. */
export const optionSchema = z.looseObject({
  value: z.string(),
  label: z.string().default(''),
  selector: words.optional(),
  locators: z.array(words).optional(),
  /** What the site calls the choice in its requests, if that differs: "1". */
  site_value: z.string().optional(),
  /** Excludes the other choices: "None of these apply". */
  exclusive: z.boolean().optional(),
});

/** A button or another element to click. `auto` accepts CSS, ids and visible text. */
export const buttonSchema = z.looseObject({
  text: z.string().default(''),
  selector: words,
  selector_type: z.enum(selectorTypes).optional(),
  locators: z.array(words).optional(),
});

/** How a value is read. Default: derived from type, label and options. */
const formats = ['date', 'time', 'datetime', 'month', 'week', 'money', 'number', 'state', 'yes_no', 'text'] as const;

/** The texts around a field at the discovery. If they differ later, the page asks something else. */
const surroundingsSchema = z.looseObject({
  /** The name of the field on the page. */
  name: z.string().optional(),
  /** The question of its choices or parts, or the name of its group. */
  question: z.string().optional(),
  /** The heading before it, which distinguishes fields with the same name. */
  heading: z.string().optional(),
  /** The first cell of its table row, which does the same. */
  row: z.string().optional(),
  hint: z.string().optional(),
  placeholder: z.string().optional(),
});

const fieldShape = {
  field_id: fieldId,
  selector: words,
  /** Other selectors in old files, best first. */
  selector_alternatives: z.array(words).optional(),
  /** Selectors in Playwright's syntax, best first, each unique at the discovery. */
  locators: z.array(words).optional(),
  field_type: z.enum(fieldTypes),
  interaction: z.enum(interactions),
  example_value: z.json(),
  notes: z.string().optional(),
  options: z.array(optionSchema).optional(),
  /** Several options of the list may be chosen. */
  multiple: z.boolean().optional(),
  visible_when: z.union([visibleWhenSchema, z.array(visibleWhenSchema)]).optional(),
  format: z.enum(formats).optional(),
  /** Other keys that user data may use for the field. */
  aliases: z.array(z.string()).optional(),
  /** Personal data: redacted in logs, screenshots, traces and errors. */
  private: z.boolean().optional(),
  min: z.union([z.number(), z.string()]).optional(),
  max: z.union([z.number(), z.string()]).optional(),
  /** The step of a number, counted from `min` or from 0. */
  step: z.number().positive().optional(),
  min_length: z.int().min(0).optional(),
  max_length: z.int().min(0).optional(),
  pattern: z.string().optional(),
  surroundings: surroundingsSchema.optional(),
  /** The name under which a script of the page sends the value, if it is not the name of the element. */
  sent_as: words.optional(),
};

const subFieldSchema = z.looseObject({
  ...fieldShape,
  label: z.string().trim().optional(),
  required: z.boolean().optional(),
});

export const fieldSchema = z
  .looseObject({
    ...fieldShape,
    label: words,
    required: z.boolean().default(false),
    sub_fields: z.array(subFieldSchema).optional(),
    repeatable: z.boolean().default(false),
    add_button_selector: z.string().optional(),
    /** The same button with its name and other selectors, so that a replaced button is noticed. */
    add_button: buttonSchema.optional(),
    /** `{index}` stands for the number of the row, from 0. */
    remove_button_selector: z.string().optional(),
    /** The button that saves a filled row of a repeatable group. Default: a button with the text "Save". */
    save_button: buttonSchema.optional(),
    min_instances: z.int().min(0).default(0),
    max_instances: z.int().min(1).optional(),
  })
  .superRefine((field, { addIssue }) => {
    const wrong = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message });
    if (field.field_type === 'group' && !field.sub_fields?.length) wrong('sub_fields', 'a group needs at least one');
    if (field.repeatable && !field.add_button_selector?.trim() && !field.add_button)
      wrong('add_button_selector', 'a repeatable group needs the button that adds a row');
    if (field.max_instances !== undefined && field.max_instances < field.min_instances)
      wrong('max_instances', 'is smaller than min_instances');
  });

export const pageSchema = z.looseObject({
  page_number: z.int().min(1),
  page_title: words,
  /** The address of the page: a full address or a path, with `*` for any text. */
  url_pattern: z.string().optional(),
  fields: z.array(fieldSchema),
  continue_button: buttonSchema,
  validation: z
    .looseObject({ error_selector: z.string().optional(), required_fields: z.array(z.string()).optional() })
    .optional(),
  /** A hash of the questions at the discovery, to notice changes. */
  fingerprint: z.string().optional(),
});

/** Why a pattern is rejected and how to fix it; follows the pattern in a message. */
export const SLOW_PATTERN = 'can take forever on some texts: it repeats a repetition. Write a+ instead of (a+)+';

/** A value on the results page and how to read it: by at least one of label, locator and pattern. */
const resultSchema = z
  .looseObject({
    /** `*` stands for a number that differs between users: "Benefit at age *". */
    label: z.string().optional(),
    /** The heading or caption above it, if the page has the same label more than once. */
    heading: z.string().optional(),
    locator: z.string().optional(),
    /** A regular expression on the found text or the whole page. Its first group is the value. */
    pattern: z.string().optional(),
    type: z.enum(['text', 'number', 'money', 'date', 'yes_no']).default('text'),
  })
  .refine(({ label, locator, pattern }) => Boolean(label || locator || pattern), {
    message: 'needs a label, a locator or a pattern',
  })
  .refine(({ pattern }) => isValidPattern(pattern ?? ''), {
    path: ['pattern'],
    message: 'is not a regular expression',
  });

export function isValidPattern(source: string): boolean {
  try {
    return Boolean(new RegExp(source, 'u'));
  } catch {
    return false;
  }
}

const startActionSchema = z.looseObject({
  description: words,
  selector: words,
  selector_type: z.enum(selectorTypes).optional(),
  locators: z.array(words).optional(),
  /** Clicked only if present, to close an overlay. */
  optional: z.boolean().optional(),
});

/** Times of old files have no zone; they are UTC. */
const moment = z
  .string()
  .transform((text) => (/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`))
  .refine((text) => !Number.isNaN(Date.parse(text)), { message: 'must be a date and time' })
  .transform((text) => new Date(text).toISOString());

export const wizardSchema = z
  .looseObject({
    wizard_id: wizardId,
    name: words,
    description: z.string().optional(),
    url: z.string().regex(/^(?:https?:\/\/|\{base_url\})/, 'must start with http://, https:// or {base_url}'),
    base_url: z
      .string()
      .regex(/^https?:\/\//, 'must start with http:// or https://')
      .optional(),
    discovered_at: moment,
    /** The version of the file format. Versions 1.x can be read. */
    discovery_version: z
      .string()
      .regex(/^\d+\.\d+\.\d+$/, 'must be like 1.0.0')
      .refine((version) => /^[01]\./.test(version), {
        error: ({ input }) =>
          `is ${input}, but this version of Assay reads 1.x; update Assay, or discover the form again`,
      }),
    total_pages: z.int().min(1),
    /** The click that leads from the start page to page 1; `start_actions`: several clicks, in this order. */
    start_action: startActionSchema.optional(),
    start_actions: z.array(startActionSchema).optional(),
    pages: z.array(pageSchema).min(1),
    /** Headings of pages without questions that a run may pass, whatever they say. */
    notices: z.array(words).optional(),
    /** Texts of browser dialogs that a run answers with OK. */
    accept_dialogs: z.array(words).optional(),
    results: z
      .record(z.string().regex(/^[a-z_][a-z0-9_]*$/), resultSchema)
      .superRefine((results, { addIssue }) => {
        const bad = findCatastrophicPatterns(Object.values(results).flatMap(({ pattern }) => pattern ?? []));
        for (const [name, { pattern }] of Object.entries(results))
          if (pattern !== undefined && bad.has(pattern))
            addIssue({ code: 'custom', path: [name, 'pattern'], message: SLOW_PATTERN });
      })
      .optional(),
    /**
     * `heading`: the heading of a last page without values, such as a confirmation. `said`: its lines at the discovery; a run
     * does not treat these lines as errors.
     */
    results_page: z
      .looseObject({
        page_title: z.string().optional(),
        url_pattern: z.string().optional(),
        heading: z.string().optional(),
        said: z.array(z.string()).optional(),
      })
      .optional(),
  })
  .superRefine(({ pages, total_pages }, { addIssue }) => {
    for (const problem of findFieldProblems(pages)) addIssue({ code: 'custom', ...problem });
    if (pages.length !== total_pages)
      addIssue({ code: 'custom', path: ['total_pages'], message: `is ${total_pages}, but there are ${pages.length}` });
    for (const [i, { page_number }] of pages.entries())
      if (page_number !== i + 1)
        addIssue({
          code: 'custom',
          path: ['pages', i, 'page_number'],
          message: `must be ${i + 1}, got ${page_number}`,
        });
  });

export type Wizard = z.output<typeof wizardSchema>;
export type WizardPage = z.output<typeof pageSchema>;
export type WizardField = z.output<typeof fieldSchema>;
export type WizardSubField = z.output<typeof subFieldSchema>;
export type WizardOption = z.output<typeof optionSchema>;
export type WizardButton = z.output<typeof buttonSchema>;
export type Surroundings = z.output<typeof surroundingsSchema>;
export type WizardResult = z.output<typeof resultSchema>;
export type VisibleWhen = z.output<typeof visibleWhenSchema>;
export type FieldFormat = (typeof formats)[number];
