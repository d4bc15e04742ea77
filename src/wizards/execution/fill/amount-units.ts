import { phrasesOf } from '../../../platform/text/phrase-table.ts';
import { findUnits, type UnitPatterns, unitPattern, unitPatterns } from '../../validation/unit-patterns.ts';
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

const certainPeriods: UnitPatterns = Object.entries(periodNouns).map(([unit, nouns]) => [
  unit,
  unitPattern(`(?:(?:${phrasesOf(perWord)}) +|/ *)(?:${phrasesOf(nouns)})|${phrasesOf(periodAdjectives[unit] ?? [])}`),
]);
const likelyPeriods: UnitPatterns = Object.entries(periodNouns).map(([unit, nouns]) => [
  unit,
  unitPattern(`(?:(?:${phrasesOf(recentWord)}) +)+(?:${phrasesOf(nouns)})`),
]);

interface UnitFamily {
  units: UnitPatterns;
  likely: UnitPatterns;
  isChangeWhenNew: boolean;
}

/**
 * Units that exclude each other. A new unit makes another amount of the same number, unless it only repeats the old
 * unit in clearer words.
 */
const families: readonly UnitFamily[] = [
  { units: certainPeriods, likely: likelyPeriods, isChangeWhenNew: true },
  { units: unitPatterns(scaleWords), likely: [], isChangeWhenNew: true },
  { units: unitPatterns(measureWords), likely: [], isChangeWhenNew: false },
  { units: unitPatterns(taxWords), likely: [], isChangeWhenNew: false },
];

/** The powers of ten by which a number may be sent in another unit than the shown one. */
export function scalesShown(text: string): number[] {
  const shown = [...findUnits(text, unitPatterns(scaleWords)), ...findUnits(text, unitPatterns(measureWords))];
  const powers: Record<string, number> = { dollars: 2, euros: 2, cents: -2, percent: -2, thousands: 3, millions: 6 };
  return shown.flatMap((unit) => powers[unit] ?? []);
}

/** The unit that a text names now instead of its earlier unit, or a new statement about the amount. */
export function otherUnit(before: string, now: string, beside: string): string | undefined {
  for (const { units, likely, isChangeWhenNew } of families) {
    const known = findUnits(before, [...units, ...likely]);
    const shownUnits = known.length > 0 ? known : findUnits(beside, [...units, ...likely]);
    const said =
      known.length > 0 ? findUnits(now, [...units, ...likely]) : isChangeWhenNew ? findUnits(now, units) : [];
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
    const shownUnits = findUnits(before, [...units, ...likely]);
    const said = findUnits(now, [...units, ...likely]);
    if (shownUnits.length > 0 && said.length > 0 && !said.some((unit) => shownUnits.includes(unit))) return said[0];
  }
  const scale = unitPatterns(scaleWords);
  return findUnits(now, scale).find((unit) => !findUnits(before, scale).includes(unit));
}
