import { reviewWizard } from '../../files/review-wizard.ts';
import { buildUserDataSchema } from '../../files/user-data-schema.ts';
import { describeSchemaIssues } from '../../files/wizard-files.ts';
import type { WizardFolder } from '../../files/wizard-folder.ts';
import { parseNewWizardId, wizardFileName } from '../../files/wizard-id.ts';
import { type Wizard, type WizardPage, wizardSchema } from '../../files/wizard-schema.ts';
import { validateUserData } from '../../validation/validate-user-data.ts';
import { discoveryError } from '../session/discovery-error.ts';
import type { DiscoverySession, RecordedClick, SavedPage } from '../session/discovery-session.ts';
import { discoverResults } from './discover-results.ts';

export interface CompletedDiscovery {
  wizard_id: string;
  saved_to: string;
  schema_saved_to: string;
  previous_version: string | null;
  wizard_structure: Wizard;
  validation: { valid: boolean; total_pages: number; total_fields: number; warnings: string[] };
}

/** Builds a wizard from the saved pages, reviews it, and writes it with its user-data schema. */
export async function completeDiscovery(
  session: DiscoverySession,
  name: string,
  givenId: string,
  wizards: WizardFolder,
): Promise<CompletedDiscovery> {
  const id = parseNewWizardId(givenId);
  await wizards.checkNewId(id);
  const saved = [...session.pages.values()].sort((a, b) => a.page.page_number - b.page.page_number);
  if (saved.length === 0)
    throw discoveryError('no_pages_discovered', 'This discovery has no saved pages, so there is no wizard to write.', {
      screenshot: null,
    });
  const results = await discoverResults(session);
  const starts = startActionsFrom(session.clicks);
  const parsed = wizardSchema.safeParse({
    wizard_id: id,
    name,
    url: session.url,
    discovered_at: new Date().toISOString(),
    discovery_version: '1.1.0',
    total_pages: saved.length,
    ...(starts[0] && { start_action: starts[0] }),
    ...(starts.length > 1 && { start_actions: starts }),
    pages: saved.map((each, i) => ({
      ...session.sentNames.addTo(withRecordedExamples(each, session)),
      page_number: i + 1,
    })),
    ...results.found,
  });
  if (!parsed.success)
    throw discoveryError('schema_validation_error', `The wizard is not valid: ${describeSchemaIssues(parsed.error)}.`, {
      screenshot: null,
      ...(session.partialFile && { partial_file: session.partialFile }),
    });
  const { path, schemaPath, previous } = await wizards.save(parsed.data);
  await wizards.removePartial(session.id);
  const review = reviewWizard(parsed.data);
  const warnings = [
    ...describeMissingPages(saved.map(({ page }) => page)),
    ...saved.flatMap((each) => each.warnings),
    ...results.warnings,
    ...review.warnings,
    ...findInvalidExamples(parsed.data),
  ];
  const valid = review.valid && !saved.some(({ isBroken }) => isBroken);
  return {
    wizard_id: wizardFileName(id),
    saved_to: path,
    schema_saved_to: schemaPath,
    previous_version: previous ?? null,
    wizard_structure: parsed.data,
    validation: { ...review, valid, warnings },
  };
}

/** federalscout_check_wizard uses the examples as user data, so they should be valid. */
function findInvalidExamples(wizard: Wizard): string[] {
  const fields = wizard.pages.flatMap((page) => page.fields);
  const data = Object.fromEntries(fields.map(({ field_id, example_value }) => [field_id, example_value]));
  const stored = { wizard, schema: buildUserDataSchema(wizard), ownSchema: false, path: '' };
  return validateUserData(stored, data).invalid_fields.map(
    ({ field_id, error }) => `The example of ${field_id} cannot be used for a check: it ${error}`,
  );
}

/** A value that was typed after the page was saved is a better example than a missing or proposed one. */
function withRecordedExamples({ page, guessedExamples }: SavedPage, { answers }: DiscoverySession): WizardPage {
  const fields = page.fields.map((field) => {
    const name = guessedExamples.get(field.field_id);
    const answer = answers.get(name ?? field.label);
    if (answer === undefined || (name === undefined && field.example_value !== '')) return field;
    const option = field.options?.find(({ label }) => label === answer);
    return { ...field, example_value: option?.value ?? answer };
  });
  return { ...page, fields };
}

/**
 * The clicks that led to the first saved page. Clicks on that page itself are answers. A click that closed an overlay is optional,
 * because the overlay may be missing next time.
 */
function startActionsFrom(clicks: readonly RecordedClick[]) {
  const before = clicks.filter(({ pagesSaved }) => pagesSaved === 0);
  const last = before.findLastIndex(({ hasMoved }) => hasMoved);
  const way = before.filter(({ hasClosedOverlay }, i) => i <= last || hasClosedOverlay);
  return way.map(({ description, selector, selectorType, locators, hasClosedOverlay }) => ({
    description,
    selector,
    selector_type: selectorType,
    ...(locators.length > 0 && { locators }),
    ...(hasClosedOverlay && { optional: true }),
  }));
}

/** Pages are renumbered without gaps; this warning names the gaps. */
function describeMissingPages(pages: readonly WizardPage[]): string[] {
  const numbers = pages.map(({ page_number }) => page_number);
  const last = numbers.at(-1) ?? 0;
  const missing = Array.from({ length: last }, (_, i) => i + 1).filter((number) => !numbers.includes(number));
  if (missing.length === 0) return [];
  return [`Page ${missing.join(', ')} was not saved. The saved pages are now numbered 1 to ${pages.length}`];
}
