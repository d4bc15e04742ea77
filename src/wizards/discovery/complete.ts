import type { WizardFolder } from '../files/folder.ts';
import { fileNameOf, newWizardId } from '../files/ids.ts';
import { reviewWizard } from '../files/review.ts';
import { userDataSchema } from '../files/user-data-schema.ts';
import { type Wizard, type WizardPage, wizardSchema } from '../files/wizard.ts';
import { explain } from '../files/wizard-files.ts';
import { validate } from '../validation/validate.ts';
import { discoveryError } from './failures.ts';
import { resultsHere } from './results-here.ts';
import type { Click, SavedPage, Session } from './session.ts';

export interface Completed {
  wizard_id: string;
  saved_to: string;
  schema_saved_to: string;
  previous_version: string | null;
  wizard_structure: Wizard;
  validation: { valid: boolean; total_pages: number; total_fields: number; warnings: string[] };
}

/** Makes a wizard of what was saved, looks at it as a whole, and writes it with the schema of the data that it takes. */
export async function completeDiscovery(
  session: Session,
  name: string,
  givenId: string,
  wizards: WizardFolder,
): Promise<Completed> {
  const id = newWizardId(givenId);
  await wizards.checkNewId(id);
  const saved = [...session.pages.values()].sort((a, b) => a.page.page_number - b.page.page_number);
  if (saved.length === 0)
    throw discoveryError('no_pages_discovered', 'No page was saved in this discovery, so there is no wizard.', {
      screenshot: null,
    });
  const results = await resultsHere(session);
  const starts = startClicks(session.clicks);
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
      ...session.sentNames.added(withExamples(each, session)),
      page_number: i + 1,
    })),
    ...results.found,
  });
  if (!parsed.success)
    throw discoveryError('schema_validation_error', `The wizard is not valid: ${explain(parsed.error)}.`, {
      screenshot: null,
      ...(session.partialFile && { partial_file: session.partialFile }),
    });
  const { path, schemaPath, previous } = await wizards.save(parsed.data);
  await wizards.removePartial(session.id);
  const review = reviewWizard(parsed.data);
  const warnings = [
    ...gaps(saved.map(({ page }) => page)),
    ...saved.flatMap((each) => each.warnings),
    ...results.warnings,
    ...review.warnings,
    ...exampleProblems(parsed.data),
  ];
  const valid = review.valid && !saved.some(({ isBroken }) => isBroken);
  return {
    wizard_id: fileNameOf(id),
    saved_to: path,
    schema_saved_to: schemaPath,
    previous_version: previous ?? null,
    wizard_structure: parsed.data,
    validation: { ...review, valid, warnings },
  };
}

/** A wizard is checked with its own examples, so they should be data that it takes. */
function exampleProblems(wizard: Wizard): string[] {
  const fields = wizard.pages.flatMap((page) => page.fields);
  const data = Object.fromEntries(fields.map(({ field_id, example_value }) => [field_id, example_value]));
  const stored = { wizard, schema: userDataSchema(wizard), ownSchema: false, path: '' };
  return validate(stored, data).invalid_fields.map(
    ({ field_id, error }) => `The example of ${field_id} could not be used for a check: it ${error}`,
  );
}

/** What a page was filled in with after it was saved is a better example than none, and than one that was only proposed. */
function withExamples({ page, guessed }: SavedPage, { answers }: Session): WizardPage {
  const fields = page.fields.map((field) => {
    const name = guessed.get(field.field_id);
    const answer = answers.get(name ?? field.label);
    if (answer === undefined || (name === undefined && field.example_value !== '')) return field;
    const option = field.options?.find(({ label }) => label === answer);
    return { ...field, example_value: option?.value ?? answer };
  });
  return { ...page, fields };
}

/**
 * The clicks that led to the first page that was saved: those on that page itself are answers, not the way there. What lay over
 * a page may not lie there the next time, and then it need not be taken away.
 */
function startClicks(clicks: readonly Click[]) {
  const before = clicks.filter(({ saved }) => saved === 0);
  const last = before.findLastIndex(({ moved }) => moved);
  const way = before.filter(({ uncovered }, i) => i <= last || uncovered);
  return way.map(({ description, selector, selectorType, locators, uncovered }) => ({
    description,
    selector,
    selector_type: selectorType,
    ...(locators.length > 0 && { locators }),
    ...(uncovered && { optional: true }),
  }));
}

/** Pages are numbered anew, so that they follow each other; that is told. */
function gaps(pages: readonly WizardPage[]): string[] {
  const numbers = pages.map(({ page_number }) => page_number);
  const last = numbers.at(-1) ?? 0;
  const missing = Array.from({ length: last }, (_, i) => i + 1).filter((number) => !numbers.includes(number));
  if (missing.length === 0) return [];
  return [`Page ${missing.join(', ')} was not saved; the pages that were are now numbered 1 to ${pages.length}`];
}
