import { Failure, quote } from '../../platform/errors.ts';

/** The bare id of a wizard, whether it was given as `fsa-estimator` or as `fsa-estimator.json`. No path is built before this. */
export function wizardIdOf(given: string): string {
  const id = given.endsWith('.json') ? given.slice(0, -'.json'.length) : given;
  if (/^[a-z0-9-]{1,100}$/.test(id)) return id;
  throw new Failure(
    'bad_input',
    'invalid_wizard_id',
    `wizard_id ${quote(given)} is not one: it consists of a-z, 0-9 and hyphens, with or without .json, such as fsa-estimator.json.`,
    { corrective_action: 'Call federalrunner_list_wizards for the ids that there are.' },
  );
}

/** As responses carry it. */
export const fileNameOf = (id: string) => `${id}.json`;
