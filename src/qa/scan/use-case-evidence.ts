import * as z from 'zod';
import type { Rung } from '../../platform/page/page-model.ts';
import { useCaseClasses } from './use-case-classes.ts';

/** How an element is found again; the page reading's own shape. */
export const rung: z.ZodType<Rung> = z.object({
  by: z.enum(['test-id', 'role', 'label', 'placeholder', 'id', 'name', 'text', 'css', 'selector']),
  value: z.string(),
  role: z.string().exactOptional(),
  attribute: z.string().exactOptional(),
  tag: z.string().exactOptional(),
  frame: z.array(z.string()).exactOptional(),
});
const ladder = z.array(rung);

const fieldOption = z.object({ label: z.string(), value: z.string(), ladder });

/** A field of a form: what it asks for, what it accepts, how it is found. */
const formField = z.object({
  /** The name that is sent, else the label: stable from one scan to the next. */
  key: z.string(),
  label: z.string(),
  /** The page reading's kind: `text`, `email`, `password`, `select`, `radio-group`, `checkbox`, `file` … */
  kind: z.string(),
  role: z.string(),
  group: z.string(),
  placeholder: z.string(),
  required: z.boolean(),
  readOnly: z.boolean(),
  /** What it holds when the page opens; empty for passwords. */
  value: z.string(),
  checked: z.boolean().nullable(),
  minLength: z.number().exactOptional(),
  maxLength: z.number().exactOptional(),
  min: z.string().exactOptional(),
  max: z.string().exactOptional(),
  step: z.string().exactOptional(),
  pattern: z.string().exactOptional(),
  inputMode: z.string().exactOptional(),
  autocomplete: z.string().exactOptional(),
  accept: z.string().exactOptional(),
  options: z.array(fieldOption),
  /** On the page, but not shown before an earlier step is done. */
  hidden: z.boolean(),
  ladder,
});
export type FormField = z.output<typeof formField>;

/** Something to click: a button, a link, a tab. */
const clickTarget = z.object({
  name: z.string(),
  role: z.string(),
  kind: z.string(),
  href: z.string().nullable(),
  ladder,
});
export type ClickTarget = z.output<typeof clickTarget>;

const formEvidence = z.object({
  /** `get` or `post`; `script` where no form element surrounds the fields. */
  method: z.enum(['get', 'post', 'script']),
  /** Path of the address that it is sent to. */
  action: z.string(),
  fields: z.array(formField),
  /** Null where choosing a value sends it. */
  submit: clickTarget.nullable(),
  /** It is sent to another origin than its page came from. */
  leaves: z.literal(true).exactOptional(),
});
export type FormEvidence = z.output<typeof formEvidence>;

/** One way to reach the page: an address, or a click on the way. */
const reachStep = z.object({
  action: z.enum(['navigate', 'click']),
  url: z.string().exactOptional(),
  target: clickTarget.exactOptional(),
});

/** A kind of page: every product has the same one. */
const pageState = z.object({
  /** Path with `:id` for the parts that vary, and the names of its query parameters. */
  template: z.string(),
  /** The example that was looked at. */
  url: z.string(),
  title: z.string(),
  heading: z.string(),
  /** How many addresses of this kind were seen. */
  seen: z.number(),
});
export type PageState = z.output<typeof pageState>;

/** How to get behind the login; the values are named, never held. */
export const signIn = z.object({
  url: z.string(),
  username: formField,
  usernameSecret: z.string(),
  /** There where the name is asked for alone: what leads on to the password; null for the Enter key. */
  next: clickTarget.nullable().exactOptional(),
  password: formField,
  passwordSecret: z.string(),
  submit: clickTarget.nullable(),
  /** Where it led, and what stood there. */
  landedOn: pageState,
});
export type SignIn = z.output<typeof signIn>;

/** What a test can look for when the use case went well. `specified` is promised by the page, `observed` was seen by the scan. */
const expectedSign = z.object({
  kind: z.enum([
    'url-changes',
    'url-contains',
    'text-appears',
    'text-gone',
    'list-changes',
    'download',
    'language',
    'control-shown',
  ]),
  value: z.string(),
  basis: z.enum(['specified', 'observed', 'usual']),
});
export type ExpectedSign = z.output<typeof expectedSign>;

/** What the scan knows about a use case: enough to write tests from. Stands in a candidate's and a use case's `details`. */
export const useCaseEvidence = z.object({
  class: z.enum(useCaseClasses),
  /** The same from one scan to the next: class, kind of page, signature of the form. */
  identity: z.string(),
  confidence: z.number(),
  entryUrl: z.string(),
  state: pageState,
  /** It is not the page's own: it stands on every page, as a search in the header does. */
  everywhere: z.boolean(),
  needsLogin: z.boolean(),
  signIn: signIn.nullable(),
  /** From the site's first page to the state. */
  steps: z.array(reachStep),
  form: formEvidence.nullable(),
  /** Forms of the pages that come after it, once somebody has filled them in: the scan sends nothing, so it does not see them. */
  laterPages: z.array(formEvidence).exactOptional(),
  /** What it is about besides a form: links of a pagination, languages, downloads, headers to sort by. */
  controls: z.array(clickTarget),
  /** Names of the steps of a wizard or a checkout, as far as the page tells. */
  stages: z.array(z.string()),
  expected: z.array(expectedSign),
  /** Why it was taken for what it is. */
  signals: z.array(z.string()),
});
export type UseCaseEvidence = z.output<typeof useCaseEvidence>;

/** The form of a page, from 0 for the one that the scan has seen. */
export function formOfPage({ form, laterPages = [] }: UseCaseEvidence, page: number): FormEvidence | null {
  return page === 0 ? form : (laterPages[page - 1] ?? null);
}
