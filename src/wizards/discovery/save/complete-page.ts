import type { Page } from 'playwright-core';
import { optionSchema, type WizardField, type WizardPage } from '../../files/wizard-schema.ts';
import type { ProposedField } from '../propose/propose-field.ts';
import type { PageProposal } from '../propose/propose-page.ts';
import { findControlAt, readSessionPage } from '../read-page/session-reading.ts';
import { type DiscoverySession, sessionPage } from '../session/discovery-session.ts';

export interface PageProblems {
  warnings: string[];
  isBroken: boolean;
}

/**
 * Adds to the given metadata what the open page shows: options, other selectors, conditions. Given values stay. What does not
 * match the page becomes a warning.
 */
export async function completePage(
  session: DiscoverySession,
  given: WizardPage,
  proposal: PageProposal,
  findings: PageProblems,
): Promise<WizardPage> {
  const page = sessionPage(session);
  const ways = indexBySelector(proposal);
  const warn = (text: string) => findings.warnings.push(`Page ${given.page_number}: ${text}`);
  const fail = (text: string) => {
    findings.isBroken = true;
    warn(text);
  };
  const fields: WizardField[] = [];
  for (const field of given.fields) {
    const known = ways.get(field.selector);
    const count = known ? 1 : await countMatches(page, field.selector);
    const seen = known ?? (count > 0 ? await proposedFieldAt(session, page, field.selector, proposal) : undefined);
    const isGroup = field.field_type === 'radio' || field.field_type === 'group' || seen?.options !== undefined;
    if (count === 0) fail(`the selector ${field.selector} of '${field.label}' matches no element`);
    else if (count > 1 && !isGroup)
      fail(`the selector ${field.selector} of '${field.label}' matches ${count} elements`);
    const whole = seen?.field_type === field.field_type ? withProposedFacts(field, seen) : field;
    if (!isExampleAnOption(whole)) warn(`the example value of '${field.label}' is not one of its options`);
    fields.push(whole);
  }
  const button = await completeButton(page, given, proposal, fail);
  return {
    ...given,
    fields,
    continue_button: button,
    fingerprint: given.fingerprint ?? proposal.page.fingerprint,
    url_pattern: given.url_pattern ?? proposal.page.url_pattern,
  };
}

/** The proposed fields by each of their selectors. */
function indexBySelector(proposal: PageProposal): Map<string, ProposedField> {
  const ways = new Map<string, ProposedField>();
  for (const field of proposal.page.fields) {
    const options = (field.options ?? []).flatMap(({ selector, locators = [] }) => [selector ?? '', ...locators]);
    for (const way of [field.selector, ...(field.locators ?? []), ...options]) if (way) ways.set(way, field);
  }
  return ways;
}

async function proposedFieldAt(
  session: DiscoverySession,
  page: Page,
  selector: string,
  { page: proposed, controls }: PageProposal,
): Promise<ProposedField | undefined> {
  const found = await findControlAt(page.locator(selector), await readSessionPage(session));
  const id = [...controls].find(([, control]) => control.order === found?.control.order)?.[0];
  return proposed.fields.find(({ field_id }) => field_id === id);
}

function withProposedFacts(field: WizardField, seen: ProposedField): WizardField {
  const options = field.options ?? seen.options?.map((option) => optionSchema.parse(option));
  const condition = field.visible_when ?? seen.visible_when;
  const surroundings = field.surroundings ?? seen.surroundings;
  return {
    ...field,
    locators: field.locators ?? seen.locators,
    ...(options && { options }),
    ...(seen.multiple && { multiple: field.multiple ?? true }),
    ...((field.private ?? seen.private) && { private: field.private ?? true }),
    ...(condition && { visible_when: condition }),
    ...(surroundings && { surroundings }),
  };
}

function isExampleAnOption({ options = [], field_type, example_value }: WizardField): boolean {
  if (options.length === 0 || (field_type !== 'radio' && field_type !== 'select')) return true;
  return options.some(({ value, label }) => value === example_value || label === example_value);
}

async function completeButton(
  page: Page,
  { continue_button: button }: WizardPage,
  { page: { continue_button: seen } }: PageProposal,
  fail: (text: string) => void,
): Promise<WizardPage['continue_button']> {
  const count = await countMatches(page, buttonSelector(button));
  if (count === 0) fail(`the continue button ${button.selector} matches no element`);
  if (count > 1) fail(`the continue button ${button.selector} matches ${count} elements`);
  const isSeen = seen && (seen.selector === button.selector || seen.text === button.text);
  const locators = button.locators ?? (isSeen ? seen.locators : undefined);
  return { ...button, ...(locators && { locators }) };
}

function buttonSelector({ selector, selector_type }: WizardPage['continue_button']): string {
  if (selector_type === 'id' && !selector.startsWith('#')) return `#${selector}`;
  return selector_type === 'text' ? `text=${JSON.stringify(selector)}` : selector;
}

/** An invalid selector matches no element. */
function countMatches(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .count()
    .catch(() => 0);
}
