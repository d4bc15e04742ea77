import * as z from 'zod';
import type { Rung } from '../../platform/page/page-model.ts';
import { useCaseClasses } from './use-case-classes.ts';

/** A locator of an element, as the page reading writes it. */
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

/** A field of a form: label, constraints and locators. */
const formField = z.object({
  /** Submitted name, or else the label; stable between scans. */
  key: z.string(),
  label: z.string(),
  /** Kind of the page reading: `text`, `email`, `password`, `select`, `radio-group`, `checkbox`, `file` … */
  kind: z.string(),
  role: z.string(),
  group: z.string(),
  placeholder: z.string(),
  required: z.boolean(),
  readOnly: z.boolean(),
  /** Initial value; empty for passwords. */
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
  /** In the document, but hidden until an earlier step is done. */
  hidden: z.boolean(),
  ladder,
});
export type FormField = z.output<typeof formField>;

/** A control that can be clicked: a button, a link, a tab. */
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
  /** Path template of its action. */
  action: z.string(),
  fields: z.array(formField),
  /** Null if choosing a value submits the form. */
  submit: clickTarget.nullable(),
  /** Submits to another origin. */
  leaves: z.literal(true).exactOptional(),
});
export type FormEvidence = z.output<typeof formEvidence>;

/** One step to reach the page: a URL or a click. */
const reachStep = z.object({
  action: z.enum(['navigate', 'click']),
  url: z.string().exactOptional(),
  target: clickTarget.exactOptional(),
});

/** The state of a page: all products share one. */
const pageState = z.object({
  /** Path with `:id` for the segments that vary. */
  template: z.string(),
  /** URL of the recorded example. */
  url: z.string(),
  title: z.string(),
  heading: z.string(),
  /** Number of URLs with this state. */
  seen: z.number(),
});
export type PageState = z.output<typeof pageState>;

/** How to sign in. Holds the names of secrets, never their values. */
export const signInEvidence = z.object({
  url: z.string(),
  username: formField,
  usernameSecret: z.string(),
  /** For a login on two pages: the button that leads to the password; null for the Enter key. */
  next: clickTarget.nullable().exactOptional(),
  password: formField,
  passwordSecret: z.string(),
  submit: clickTarget.nullable(),
  /** Landing page. */
  landedOn: pageState,
});
export type SignIn = z.output<typeof signInEvidence>;

/**
 * Sign of success. `specified` is declared by the page, `observed` was seen by the scan, `usual` is typical of the
 * class.
 */
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

/** What a scan knows about a use case, enough to derive tests. Stored in `details` of candidates and use cases. */
const useCaseEvidence = z.object({
  class: z.enum(useCaseClasses),
  /** Stable between scans: hash of class, page state and form. */
  identity: z.string(),
  confidence: z.number(),
  entryUrl: z.string(),
  state: pageState,
  /** On every page, such as a search in the header. */
  everywhere: z.boolean(),
  needsLogin: z.boolean(),
  signIn: signInEvidence.nullable(),
  /** Steps that reach the page. */
  steps: z.array(reachStep),
  form: formEvidence.nullable(),
  /** Forms of later pages, added by script generation: a scan submits nothing, so it does not see them. */
  laterPages: z.array(formEvidence).exactOptional(),
  /** Controls outside forms: pagination links, languages, downloads, sortable headers. */
  controls: z.array(clickTarget),
  /** Names of the steps of a wizard or checkout, if the page shows them. */
  stages: z.array(z.string()),
  expected: z.array(expectedSign),
  /** Signals that led to the class. */
  signals: z.array(z.string()),
});
export type UseCaseEvidence = z.output<typeof useCaseEvidence>;

/** The form of a page; page 0 is the one that the scan recorded. */
export function formOfPage({ form, laterPages = [] }: UseCaseEvidence, page: number): FormEvidence | null {
  return page === 0 ? form : (laterPages[page - 1] ?? null);
}

/** The evidence among the details of a use case; undefined for a use case that no scan has found. */
export function evidenceOfUseCase({ details }: { details: unknown }): UseCaseEvidence | undefined {
  return useCaseEvidence.safeParse(details).data;
}
