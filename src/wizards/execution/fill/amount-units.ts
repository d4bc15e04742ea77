import { type PhraseTable, phrasesOf } from '../../../platform/text/phrase-table.ts';
import {
  measureWords,
  periodAdjectives,
  periodNouns,
  perWord,
  recentWord,
  scaleWords,
  taxWords,
} from '../../vocabulary/amount-units.ts';

/** Recognizes the units that a text names: an amount per month is not the same amount per year. */

const word = (source: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'u');
const words = (units: Record<string, PhraseTable>) =>
  Object.entries(units).map(([unit, table]) => [unit, word(phrasesOf(table))] as const);
type Units = readonly (readonly [unit: string, pattern: RegExp])[];

const certainPeriods: Units = Object.entries(periodNouns).map(([unit, nouns]) => [
  unit,
  word(`(?:(?:${phrasesOf(perWord)}) +|/ *)(?:${phrasesOf(nouns)})|${phrasesOf(periodAdjectives[unit] ?? [])}`),
]);
const likelyPeriods: Units = Object.entries(periodNouns).map(([unit, nouns]) => [
  unit,
  word(`(?:(?:${phrasesOf(recentWord)}) +)+(?:${phrasesOf(nouns)})`),
]);

interface UnitFamily {
  units: Units;
  likely: Units;
  isChangeWhenNew: boolean;
}

/**
 * Units that exclude each other. A new unit makes another amount of the same number, unless it only repeats the old
 * unit in clearer words.
 */
const families: readonly UnitFamily[] = [
  { units: certainPeriods, likely: likelyPeriods, isChangeWhenNew: true },
  { units: words(scaleWords), likely: [], isChangeWhenNew: true },
  { units: words(measureWords), likely: [], isChangeWhenNew: false },
  { units: words(taxWords), likely: [], isChangeWhenNew: false },
];

const bare = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const among = (text: string, units: Units) =>
  units.flatMap(([unit, pattern]) => (pattern.test(bare(text)) ? [unit] : []));

/** The powers of ten by which a number may be sent in another unit than the shown one. */
export function scalesShown(text: string): number[] {
  const shown = [...among(text, words(scaleWords)), ...among(text, words(measureWords))];
  const powers: Record<string, number> = { dollars: 2, euros: 2, cents: -2, percent: -2, thousands: 3, millions: 6 };
  return shown.flatMap((unit) => powers[unit] ?? []);
}

/** The unit that a text names now instead of its earlier unit, or a new statement about the amount. */
export function otherUnit(before: string, now: string, beside: string): string | undefined {
  for (const { units, likely, isChangeWhenNew } of families) {
    const known = among(before, [...units, ...likely]);
    const shownUnits = known.length > 0 ? known : among(beside, [...units, ...likely]);
    const said = known.length > 0 ? among(now, [...units, ...likely]) : isChangeWhenNew ? among(now, units) : [];
    const other = said.find((unit) => !shownUnits.includes(unit));
    if (other !== undefined) return other;
  }
  return undefined;
}

/**
 * Like `otherUnit`, for the text beside a field, where a page also shows what it computes from an amount: "= $400 per
 * month". Only a replaced unit and thousands count.
 */
export function otherUnitBeside(before: string, now: string): string | undefined {
  for (const { units, likely } of families) {
    const shownUnits = among(before, [...units, ...likely]);
    const said = among(now, [...units, ...likely]);
    if (shownUnits.length > 0 && said.length > 0 && !said.some((unit) => shownUnits.includes(unit))) return said[0];
  }
  const scale = words(scaleWords);
  return among(now, scale).find((unit) => !among(before, scale).includes(unit));
}
