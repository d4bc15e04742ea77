import { decideFood } from '../food-benefits.ts';
import type { Random } from './random.ts';
import { type DataSet, dataSets } from './sets.ts';

export const foodBenefitsSets = (count: number): DataSet[] => dataSets(one, 6, count);

function one(random: Random): DataSet {
  const data = {
    zip_code: String(random.whole(501, 99_950)).padStart(5, '0'),
    adults: random.whole(1, 6),
    children: random.whole(0, 6),
    citizen: random.pick(['yes', 'no']),
    earned_income: random.whole(0, 6000),
    other_income: random.whole(0, 2000),
    rent: random.whole(0, 3000),
    heating_bill: random.chance(0.5),
  };
  return { data, record: data, results: decideFood(data) };
}
