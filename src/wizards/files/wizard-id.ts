import { Failure, quote } from '../../platform/errors.ts';

/** The bare id of a wizard, whether it was given as `fsa-estimator` or as `fsa-estimator.json`. No path is built before this. */
export function parseWizardId(given: string): string {
  const id = given.endsWith('.json') ? given.slice(0, -'.json'.length) : given;
  if (/^[a-z0-9-]{1,100}$/.test(id)) return id;
  throw new Failure(
    'bad_input',
    'invalid_wizard_id',
    `wizard_id ${quote(given)} is not one: it consists of a-z, 0-9 and hyphens, with or without .json, such as fsa-estimator.json.`,
    { corrective_action: 'Call federalrunner_list_wizards for the ids that there are.' },
  );
}

/** The id of a wizard that is to be written. What ends in `-schema` would be taken for the schema of another. */
export function parseNewWizardId(given: string): string {
  const advice = {
    success: false,
    corrective_action: 'Give a wizard_id such as fsa-estimator, and complete it again.',
  };
  if (/-schema(?:\.json)?$/.test(given))
    throw new Failure(
      'bad_input',
      'invalid_wizard_id',
      `wizard_id ${quote(given)} ends in -schema, as only the files of schemas do.`,
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

/** As responses carry it. */
export const wizardFileName = (id: string) => `${id}.json`;
