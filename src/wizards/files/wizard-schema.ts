import * as z from 'zod';
import { hasCatastrophicBacktracking } from '../../platform/text/pattern-time-limit.ts';

/**
 * A wizard file: what a form asks, page by page, and how each of its parts is found. The format is that of the system it
 * came from (structure format 1.1.0), read leniently, so that its files load unchanged; every addition is optional. Keys
 * that are not known here are kept.
 *
 * A file may be moved from one site to another: `{base_url}` at the start of `url` or `url_pattern` stands for the address
 * in the environment variable ASSAY_WIZARDS_BASE_URL, else for the file's own `base_url` (see base-url.ts).
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
  .regex(/^[a-z_][a-z0-9_]*$/, 'must consist of a-z, 0-9 and _, and not begin with a digit');

/** A condition on another answer: the field is asked only when it holds. Lists: any of them. Groups and lists: contained in. */
const visibleWhenSchema = z.looseObject({
  field: fieldId,
  equals: z.union([z.string(), z.number(), z.boolean()]).optional(),
  one_of: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  not: z.union([z.string(), z.number(), z.boolean()]).optional(),
  /** The answers with which the page was seen not to ask. Where this is said, any other was not tried: the page decides. */
  hidden_with: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
});

/** One choice of a radio group, a select, a typeahead, or a group of checkboxes. `value` is what user data says. */
export const optionSchema = z.looseObject({
  value: z.string(),
  label: z.string().default(''),
  selector: words.optional(),
  locators: z.array(words).optional(),
  /** Chosen alone: "None of these apply". */
  exclusive: z.boolean().optional(),
});

/** A button, or whatever is clicked. Old files say `css` where they mean it; `auto` understands everything. */
export const buttonSchema = z.looseObject({
  text: z.string().default(''),
  selector: words,
  selector_type: z.enum(selectorTypes).optional(),
  locators: z.array(words).optional(),
});

/** How the words of a value are to be read; guessed from type, label and options where it is not said. */
const formats = ['date', 'money', 'number', 'state', 'yes_no', 'text'] as const;

/** What the page said around a field when it was discovered. Where it says something else by now, something else is asked. */
const surroundingsSchema = z.looseObject({
  /** What the page itself calls the field. */
  name: z.string().optional(),
  /** The question that its choices or parts belong to, or the name of its group. */
  question: z.string().optional(),
  /** The heading before it, which tells apart what has the same name. */
  heading: z.string().optional(),
  /** What its row of a table begins with, which does so too. */
  row: z.string().optional(),
  hint: z.string().optional(),
  placeholder: z.string().optional(),
});

const fieldShape = {
  field_id: fieldId,
  selector: words,
  /** Other selectors, best first, as old files have them. */
  selector_alternatives: z.array(words).optional(),
  /** The ladder: selectors in Playwright's syntax, best first, each unique when it was discovered. */
  locators: z.array(words).optional(),
  field_type: z.enum(fieldTypes),
  interaction: z.enum(interactions),
  example_value: z.json(),
  notes: z.string().optional(),
  options: z.array(optionSchema).optional(),
  /** Of a list: several of its options may be chosen. */
  multiple: z.boolean().optional(),
  visible_when: z.union([visibleWhenSchema, z.array(visibleWhenSchema)]).optional(),
  format: z.enum(formats).optional(),
  /** Other names by which user data may call it. */
  aliases: z.array(z.string()).optional(),
  /** Personal data: kept out of every log, picture, trace and error. */
  private: z.boolean().optional(),
  min: z.union([z.number(), z.string()]).optional(),
  max: z.union([z.number(), z.string()]).optional(),
  /** What a number goes up by, from `min` or from 0. */
  step: z.number().positive().optional(),
  min_length: z.int().min(0).optional(),
  max_length: z.int().min(0).optional(),
  pattern: z.string().optional(),
  surroundings: surroundingsSchema.optional(),
  /** The name under which a script of the page sends it, where that is not the name of its element. */
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
    /** The same button with its name and other ways to it, so that another in its place is noticed. */
    add_button: buttonSchema.optional(),
    /** With `{index}` for the number of the row, from 0. */
    remove_button_selector: z.string().optional(),
    /** What keeps a row of a repeatable group after it was filled in; old files leave it to a button that says "Save". */
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
  /** The address of the page: a whole address, a path, or one with `*`. */
  url_pattern: z.string().optional(),
  fields: z.array(fieldSchema),
  continue_button: buttonSchema,
  validation: z
    .looseObject({ error_selector: z.string().optional(), required_fields: z.array(z.string()).optional() })
    .optional(),
  /** What the page looked like when it was discovered, so that a change is noticed. */
  fingerprint: z.string().optional(),
});

/** Why a pattern is refused, and what to do about it. */
export const SLOW_PATTERN =
  'takes endlessly on some texts: what is repeated must not consist of something repeated, so write a+ instead of (a+)+';

/** A value on the results page, and how to read it. At least one of label, locator and pattern. */
const resultSchema = z
  .looseObject({
    /** With `*` for a number that is another for others: "Benefit at age *". */
    label: z.string().optional(),
    /** The heading or caption that it stands under, where the page says the same label more than once. */
    heading: z.string().optional(),
    locator: z.string().optional(),
    /** A regular expression over the found text, or over the whole page; its first group is the value. */
    pattern: z.string().optional(),
    type: z.enum(['text', 'number', 'money', 'date', 'yes_no']).default('text'),
  })
  .refine(({ label, locator, pattern }) => Boolean(label || locator || pattern), {
    message: 'needs a label, a locator or a pattern',
  })
  .refine(({ pattern }) => isValidPattern(pattern ?? ''), { path: ['pattern'], message: 'is no regular expression' })
  .refine(({ pattern }) => !pattern || !hasCatastrophicBacktracking(pattern), {
    path: ['pattern'],
    message: SLOW_PATTERN,
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
  /** Clicked only where it is there: it takes away what lies over the page. */
  optional: z.boolean().optional(),
});

/** Old files were stamped without a zone, in UTC. */
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
    url: z.string().regex(/^(?:https?:\/\/|\{base_url\})/, 'must begin with http://, https:// or {base_url}'),
    base_url: z
      .string()
      .regex(/^https?:\/\//, 'must begin with http:// or https://')
      .optional(),
    discovered_at: moment,
    discovery_version: z.string().regex(/^\d+\.\d+\.\d+$/, 'must be like 1.0.0'),
    total_pages: z.int().min(1),
    /** What is clicked on the first page to come to page 1: one thing, or several in this order. */
    start_action: startActionSchema.optional(),
    start_actions: z.array(startActionSchema).optional(),
    pages: z.array(pageSchema).min(1),
    /** Headings of pages without questions whose way on may be clicked, whatever they say. */
    notices: z.array(words).optional(),
    /** Words of questions in dialogs of the browser that are answered with OK. */
    accept_dialogs: z.array(words).optional(),
    results: z.record(z.string().regex(/^[a-z_][a-z0-9_]*$/), resultSchema).optional(),
    /**
     * `heading`: what a last page that has no values, such as a confirmation, is called. `said`: its lines when it was
     * discovered; what stands there every time is no complaint of this time.
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
