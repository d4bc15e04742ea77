import { Failure, quote } from '../../platform/errors.ts';

/** The bare id from `fsa-estimator` or `fsa-estimator.json`. Throws for anything else; no path is built before this check. */
export function parseWizardId(given: string): string {
  const id = given.endsWith('.json') ? given.slice(0, -'.json'.length) : given;
  if (/^[a-z0-9-]{1,100}$/.test(id)) return id;
  throw new Failure(
    'bad_input',
    'invalid_wizard_id',
    `wizard_id ${quote(given)} is not valid. An id consists of a-z, 0-9 and hyphens, such as fsa-estimator.json.`,
    { corrective_action: 'Call federalrunner_list_wizards for the available ids.' },
  );
}

/** The id of a new wizard. An id that ends in `-schema` is rejected: it would name a schema file. */
export function parseNewWizardId(given: string): string {
  const advice = {
    success: false,
    corrective_action: 'Call federalscout_complete_discovery again with a wizard_id such as fsa-estimator.',
  };
  if (/-schema(?:\.json)?$/.test(given))
    throw new Failure(
      'bad_input',
      'invalid_wizard_id',
      `wizard_id ${quote(given)} ends in -schema, which is reserved for schema files.`,
      advice,
    );
  try {
    return parseWizardId(given);
  } catch (error) {
    throw error instanceof Failure
      ? new Failure(error.kind, error.code, error.message, advice, { cause: error })
      : error;
  }
}

/** The id as responses contain it. */
export const wizardFileName = (id: string) => `${id}.json`;
