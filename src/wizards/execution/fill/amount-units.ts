/** The units that a text may name: what is paid each month is another amount than what is paid each year. */

const periods: Record<string, { noun: string; adjective: string }> = {
  year: {
    noun: 'years?|annum|jahr|annee|an|ano|anno|jaar',
    adjective: 'yearly|annual(?:ly)?|jahrlich\\w*|annuel(?:le)?|anual|annuale|jaarlijkse?|anualmente',
  },
  quarter: { noun: 'quarter|quartal|trimestre|kwartaal', adjective: 'quarterly|trimestriel(?:le)?|trimestral(?:e)?' },
  month: {
    noun: 'month|monat|mois|mes|mese|maand',
    adjective: 'monthly|monatlich\\w*|mensuel(?:le)?|mensual|mensile|maandelijkse?|mensal',
  },
  week: {
    noun: 'week|woche|semaine|semana|settimana',
    adjective: 'weekly|wochentlich\\w*|hebdomadaire|semanal|settimanale|wekelijkse?',
  },
  day: { noun: 'day|tag|jour|dia|giorno|dag', adjective: 'daily|taglich\\w*|quotidien(?:ne)?|diari[oa]|giornaliero' },
  hour: { noun: 'hour|stunde|heure|hora|ora|uur', adjective: 'hourly|stundlich\\w*|horaire' },
};

/** What stands before a period that an amount is for. */
const each = 'per|each|every|pro|je|jede[nrs]?|par|chaque|por|cada|al|ogni|elke?';
/** The same where it may also be only a time that is spoken of. */
const lately = 'an?|the|this|last|past|previous|current|calendar|tax|fiscal|complete|whole|full';

const scales: Record<string, string> = {
  thousands: 'in thousands|thousands of|in tausend|milliers|miles de|migliaia|duizenden|milhares',
  millions: 'in millions|millions of|in millionen|millones|milioni|miljoenen|milhoes',
  cents: 'in cents?|whole cents',
};

const measures: Record<string, string> = {
  percent: 'per ?cent|percentages?|prozent|pour ?cent|por ciento|per cento|procent|por cento|%',
  dollars: 'dollars?|usd|\\$',
  euros: 'euros?|eur|€',
  pounds: 'pounds?|gbp|£|lbs?',
  kilograms: 'kilograms?|kilos?|kg',
  centimetres: 'centimet(?:re|er)s?|cm',
  metres: 'met(?:re|er)s?',
  feet: 'feet|foot|ft',
  inches: 'inch(?:es)?',
};

const money = '(?:income|pay|amount|salary|wages?|earnings)';
const taxes: Record<string, string> = {
  'before taxes': `before tax(?:es)?|gross ${money}|brutto|brut|bruto|lordo`,
  'after taxes': `after tax(?:es)?|net ${money}|netto|neto|liquido`,
};

const word = (source: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'u');
const words = (units: Record<string, string>) =>
  Object.entries(units).map(([unit, source]) => [unit, word(source)] as const);
type Units = readonly (readonly [unit: string, pattern: RegExp])[];

const certainPeriods: Units = Object.entries(periods).map(([unit, { noun, adjective }]) => [
  unit,
  word(`(?:(?:${each}) +|/ *)(?:${noun})|${adjective}`),
]);
const likelyPeriods: Units = Object.entries(periods).map(([unit, { noun }]) => [
  unit,
  word(`(?:(?:${lately}) +)+(?:${noun})`),
]);

interface UnitFamily {
  units: Units;
  likely: Units;
  isChangeWhenNew: boolean;
}

/** Units that exclude each other. What is new makes another amount of the same number, unless it is only said more clearly. */
const families: readonly UnitFamily[] = [
  { units: certainPeriods, likely: likelyPeriods, isChangeWhenNew: true },
  { units: words(scales), likely: [], isChangeWhenNew: true },
  { units: words(measures), likely: [], isChangeWhenNew: false },
  { units: words(taxes), likely: [], isChangeWhenNew: false },
];

const bare = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const among = (text: string, units: Units) =>
  units.flatMap(([unit, pattern]) => (pattern.test(bare(text)) ? [unit] : []));

/** The powers of ten by which a number may be sent in another unit, by the unit that is shown. */
export function scalesShown(text: string): number[] {
  const shown = [...among(text, words(scales)), ...among(text, words(measures))];
  const powers: Record<string, number> = { dollars: 2, euros: 2, cents: -2, percent: -2, thousands: 3, millions: 6 };
  return shown.flatMap((unit) => powers[unit] ?? []);
}

/** The unit that a text names now instead of what it named before, or what else is said of the amount. */
export function otherUnit(before: string, now: string, beside: string): string | undefined {
  for (const { units, likely, isChangeWhenNew } of families) {
    const known = among(before, [...units, ...likely]);
    const told = known.length > 0 ? known : among(beside, [...units, ...likely]);
    const said = known.length > 0 ? among(now, [...units, ...likely]) : isChangeWhenNew ? among(now, units) : [];
    const other = said.find((unit) => !told.includes(unit));
    if (other !== undefined) return other;
  }
  return undefined;
}

/**
 * The same for what stands beside a field, where a page also writes what it makes of an amount: "= $400 per month". Only what
 * is said instead of the unit that was there counts, and thousands.
 */
export function otherUnitBeside(before: string, now: string): string | undefined {
  for (const { units, likely } of families) {
    const told = among(before, [...units, ...likely]);
    const said = among(now, [...units, ...likely]);
    if (told.length > 0 && said.length > 0 && !said.some((unit) => told.includes(unit))) return said[0];
  }
  const scale = words(scales);
  return among(now, scale).find((unit) => !among(before, scale).includes(unit));
}
