import { estimateBenefit } from '../benefit-calculator.ts';
import { type Random, two } from './random.ts';
import { type DataSet, dataSets } from './sets.ts';

export const benefitCalculatorSets = (count: number): DataSet[] => dataSets(one, 4, count);

function one(random: Random): DataSet {
  const born = random.whole(1950, 2000);
  const data = {
    birth_month: two(random.whole(1, 12)),
    birth_day: two(random.whole(1, 28)),
    birth_year: String(born),
    current_earnings: random.whole(0, 180_000),
    ...(random.chance(0.4) && {
      last_year_worked: String(random.whole(2015, 2024)),
      last_year_earnings: random.whole(1000, 90_000),
    }),
    ...(random.chance(0.6) && {
      retirement_month: two(random.whole(1, 12)),
      retirement_year: String(born + random.whole(62, 70)),
    }),
    dollar_type: random.pick(['constant', 'nominal']),
  };
  return { data, record: data, results: estimateBenefit(data) };
}
