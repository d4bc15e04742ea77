import { estimateAid } from '../aid-estimator.ts';
import type { Answers } from '../definition.ts';
import { states } from '../states.ts';
import { type Random, two } from './random.ts';
import { type DataSet, dataSets } from './sets.ts';

export const aidEstimatorSets = (count: number): DataSet[] => dataSets(one, 1, count);

/** Sets for the old wizard file, which has one circumstance and no income of the student. */
export const oldAidEstimatorSets = (count: number): DataSet[] => dataSets(onOldPath, 2, count);

const circumstances = ['active_duty', 'parents_deceased', 'foster_care', 'emancipated', 'homeless'] as const;

function one(random: Random): DataSet {
  return set(random, random.chance(0.5));
}

function onOldPath(random: Random): DataSet {
  const { data } = set(random, false);
  for (const key of circumstances) delete data[key];
  if (data['has_dependents'] === 'no') data['personal_circumstances_none'] = true;
  return { data, ...expected(data) };
}

function set(random: Random, ownTaxes: boolean): DataSet {
  const data: Record<string, unknown> = {
    birth_month: two(random.whole(1, 12)),
    birth_day: two(random.whole(1, 28)),
    birth_year: String(random.whole(1985, 2009)),
    marital_status: random.pick(['unmarried', 'unmarried', 'married', 'separated']),
    state: random.pick([...states, 'Kansas', 'Virginia', 'Washington']),
    grade_level: random.pick(['freshman', 'sophomore', 'other_undergrad', 'graduate']),
    has_dependents: random.pick(['yes', 'no', 'no']),
    parents_married: random.pick(['yes', 'no']),
    parent_marital_status: random.pick(['married', 'unmarried', 'unmarried_together']),
    parent_state: random.pick(states),
    family_size: random.whole(3, 9),
    parent_filed_taxes: random.pick(['yes', 'yes', 'no']),
    student_filed_taxes: ownTaxes ? 'yes' : 'no',
  };
  if (data['has_dependents'] === 'no') Object.assign(data, chosenCircumstances(random));
  if (data['parent_filed_taxes'] === 'yes')
    Object.assign(data, {
      parent_income: random.whole(0, 180_000),
      parent_assets: random.whole(0, 400) * 500,
      parent_child_support: random.chance(0.6) ? 0 : random.whole(1, 12_000),
    });
  if (ownTaxes)
    Object.assign(data, { student_income: random.whole(0, 40_000), student_assets: random.whole(0, 9_999) });
  return { data, ...expected(data) };
}

/** None or some of the others. An empty box is false or left out. */
function chosenCircumstances(random: Random): Record<string, boolean> {
  if (random.chance(0.5)) return { personal_circumstances_none: true };
  const chosen: Record<string, boolean> = {};
  for (const key of circumstances) if (random.chance(0.6)) chosen[key] = random.chance(0.6);
  return chosen;
}

function expected(data: Record<string, unknown>): Omit<DataSet, 'data'> {
  const record: Answers = {};
  for (const [key, value] of Object.entries(data)) record[key] = numeric.has(key) ? Number(value) : plain(value);
  if (data['has_dependents'] === 'no')
    for (const key of [...circumstances, 'personal_circumstances_none']) record[key] ??= false;
  return { record, results: estimateAid(record) };
}

const plain = (value: unknown) => (typeof value === 'boolean' ? value : String(value));

const numeric = new Set([
  'birth_month',
  'birth_day',
  'birth_year',
  'family_size',
  'parent_income',
  'parent_assets',
  'parent_child_support',
  'student_income',
  'student_assets',
]);
