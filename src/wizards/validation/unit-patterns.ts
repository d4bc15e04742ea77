import { type PhraseTable, phrasesOf } from '../../platform/text/phrase-table.ts';

/** Patterns that find the units of a family in a text. The text is compared in lower case, without accents. */
export type UnitPatterns = readonly (readonly [unit: string, pattern: RegExp])[];

export function unitPattern(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'u');
}

export function unitPatterns(units: Record<string, PhraseTable>): UnitPatterns {
  return Object.entries(units).map(([unit, table]) => [unit, unitPattern(phrasesOf(table))]);
}

/** The units of the family that a text names. */
export function findUnits(text: string, units: UnitPatterns): string[] {
  const bare = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return units.flatMap(([unit, pattern]) => (pattern.test(bare) ? [unit] : []));
}
