import { counties, decideHeating } from '../heating-help.ts';
import type { Random } from './random.ts';
import { type DataSet, dataSets } from './sets.ts';

export const heatingHelpSets = (count: number): DataSet[] => dataSets(one, 5, count);

const names = [
  'Ada Lovelace',
  "Sinéad O'Connor",
  'José “Pepe” Núñez',
  'Nguyễn Thị Minh',
  'Łukasz Żółć',
  'Anne-Marie d’Arc',
  'Ivo <Iva> & Co',
] as const;
const remarks = [
  'Please call after 5 pm.',
  'Line one\nline two',
  'He said "no"; I said \'yes\'.',
  '100 % wool 🧦',
] as const;

function one(random: Random): DataSet {
  const county = random.pick(counties);
  const record = {
    full_name: random.pick(names),
    email: `person${random.whole(1, 9999)}@example.org`,
    household_size: random.whole(1, 12),
    monthly_income: random.whole(0, 9000),
    county: county.toLowerCase().replace(' ', '-'),
    fuel: random.pick(['oil', 'gas', 'wood', 'electric']),
    over_sixty: random.chance(0.5),
    ...(random.chance(0.5) && { remarks: random.pick(remarks) }),
  };
  return { data: { ...record, county }, record, results: decideHeating(record) };
}
