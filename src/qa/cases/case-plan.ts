import * as z from 'zod';
import type { UseCaseEvidence } from '../scan/use-case-evidence.ts';
import { validityFlags } from '../scripts/model/script-steps.ts';

/** What a case is for; part of its stable key. */
const caseKinds = ['happy', 'field', 'pairs', 'state', 'session', 'search', 'action', 'authored'] as const;

/** What the site is expected to do with what was entered. */
const expectedOutcome = z.object({
  outcome: z.enum(['accepted', 'rejected', 'cut', 'observed', 'refused-entry']),
  /** The field that decides. */
  field: z.string().exactOptional(),
  flag: z.enum(validityFlags).exactOptional(),
  /** For `cut`: what the field holds afterwards. */
  held: z.string().exactOptional(),
  /** Texts that a requirement promises. */
  says: z.array(z.string()).default([]),
});

/**
 * How a case is carried out, for the generator: values by the key of their field, the control to use, and what comes
 * after. The form itself is known to the use case.
 */
const casePlan = z.object({
  kind: z.enum(caseKinds),
  /** Happy paths of other use cases that come first: a checkout needs something in the cart. */
  before: z.array(z.string()).default([]),
  signIn: z.boolean(),
  entry: z.string(),
  /** It is done where the last of `before` has led to: on a record that was just made, and on no other. */
  stays: z.boolean().default(false),
  /** Which page of the form it is about, from 0; those before it are filled in as they should be. */
  page: z.number().int().default(0),
  /** By key of the field; a checkbox is `true` or `false`. Fields that are not named stay as the page has them. */
  values: z.record(z.string(), z.string()),
  secrets: z.record(z.string(), z.string()).default({}),
  /** Keys of values that are typed key by key. */
  typed: z.array(z.string()).default([]),
  /** How the form is sent; `none` where nothing is. */
  send: z.enum(['once', 'twice', 'none']),
  /** The page is kept from checking what is sent, so that the server has to. */
  unchecked: z.boolean().default(false),
  /** The how-manieth of the use case's controls is clicked. */
  control: z.number().int().nullable().default(null),
  /** Further pages follow, each with fields of its own. */
  goesOn: z.boolean().default(false),
  after: z.array(z.enum(['reload', 'back'])).default([]),
  expected: expectedOutcome,
});
export type CasePlan = z.output<typeof casePlan>;

/** The plan of a stored case; undefined where its script is written by hand. */
export function readCasePlan({ details }: { details: unknown }): CasePlan | undefined {
  return z.object({ plan: casePlan }).safeParse(details).data?.plan;
}

/** A test case as it is derived, before it has an id. */
export interface DerivedCase {
  /** The same whenever it is derived from the same use case. */
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

/** What is expected of a form that was filled in as it should be. */
export const ACCEPTED_RESULT = 'The site accepts what was entered and shows the outcome';

/** The names of the secrets that a login takes. */
export interface LoginSecrets {
  username: string;
  password: string;
}

export interface UseCaseInput {
  title: string;
  evidence: UseCaseEvidence;
  /** Texts that its requirements promise. */
  promised: readonly string[];
  /** Use cases of the project: the happy path of one may have to come first. */
  others: readonly { id: string; class: string; title: string }[];
  /** For a login, if there is one. */
  account?: LoginSecrets | undefined;
  /** When its form was seen, and when the pages after it; today where that is not said. */
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
