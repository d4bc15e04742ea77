import * as z from 'zod';
import type { UseCaseEvidence } from '../scan/use-case-evidence.ts';
import { validityFlags } from '../scripts/model/script-steps.ts';

/** Kinds of cases; part of the stable key. */
const caseKinds = ['happy', 'field', 'pairs', 'state', 'session', 'search', 'action', 'authored'] as const;

/** Expected outcome of the entered data. */
const expectedOutcome = z.object({
  outcome: z.enum(['accepted', 'rejected', 'cut', 'observed', 'refused-entry']),
  /** Key of the decisive field. */
  field: z.string().exactOptional(),
  flag: z.enum(validityFlags).exactOptional(),
  /** For `cut`: value that the field holds afterwards. */
  held: z.string().exactOptional(),
  /** Texts that a requirement specifies. */
  says: z.array(z.string()).default([]),
});

/**
 * How a case is carried out, for the generator: values by the key of their field, the control to use, and what comes
 * after. The form itself is known to the use case.
 */
const casePlan = z.object({
  kind: z.enum(caseKinds),
  /** Ids of use cases whose happy path runs first: a checkout needs a filled cart. */
  before: z.array(z.string()).default([]),
  signIn: z.boolean(),
  entry: z.string(),
  /** The case starts where the last of `before` ended: on the record that it created. */
  stays: z.boolean().default(false),
  /** Page of the form, from 0; earlier pages are filled in correctly. */
  page: z.number().int().default(0),
  /** Values by field key; a checkbox is `true` or `false`. Other fields keep their initial value. */
  values: z.record(z.string(), z.string()),
  secrets: z.record(z.string(), z.string()).default({}),
  /** Keys of fields that are typed key by key. */
  typed: z.array(z.string()).default([]),
  /** How the form is submitted; `none` if it is not. */
  send: z.enum(['once', 'twice', 'none']),
  /** Disables the validation of the page to test the server. */
  unchecked: z.boolean().default(false),
  /** Index of the control that is clicked. */
  control: z.number().int().nullable().default(null),
  /** Further pages with their own fields follow. */
  goesOn: z.boolean().default(false),
  after: z.array(z.enum(['reload', 'back'])).default([]),
  expected: expectedOutcome,
});
export type CasePlan = z.output<typeof casePlan>;

/** The plan of a stored case; undefined if its script is written by hand. */
export function readCasePlan({ details }: { details: unknown }): CasePlan | undefined {
  return z.object({ plan: casePlan }).safeParse(details).data?.plan;
}

/** A derived test case without an id. */
export interface DerivedCase {
  /** Stable for the same use case. */
  key: string;
  title: string;
  goal: string;
  precondition: string | null;
  expectedResult: string;
  oracle: 'specified' | 'observed';
  priority: 'HIGH' | 'MEDIUM' | 'LOW';
  category: 'Functional' | 'Edge Case' | 'Regression' | 'Smoke';
  tags: string[];
  plan: CasePlan;
}

/** Expected result of a correctly filled form. */
export const ACCEPTED_RESULT = 'The site accepts what was entered and shows the outcome';

/** Names of the secrets for a login. */
export interface LoginSecrets {
  username: string;
  password: string;
}

export interface UseCaseInput {
  title: string;
  evidence: UseCaseEvidence;
  /** Texts that its requirements specify. */
  promised: readonly string[];
  /** Use cases of the project, for cases that build on another one. */
  others: readonly { id: string; class: string; title: string }[];
  /** Secrets of the login, if there are any. */
  account?: LoginSecrets | undefined;
  /** When the first page and later pages were seen; default: today. */
  seen?: Date | undefined;
  laterSeen?: Date | undefined;
}

export function preconditionText({ signIn, before }: CasePlan): string | null {
  const parts = [
    ...(signIn ? ['signed in'] : []),
    ...(before.length > 0 ? ['the use cases it builds on were done'] : []),
  ];
  return parts.length > 0 ? `The user is ${parts.join(' and ')}` : null;
}
