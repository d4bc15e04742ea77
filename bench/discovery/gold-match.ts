import type { UseCaseClass } from '../../src/qa/scan/use-case-classes.ts';
import type { GoldUseCase } from '../../test/sites/apps/apps.ts';

export interface Claim {
  class: UseCaseClass;
  /** Template of the page, or `*`. */
  page: string;
}

/**
 * Matches claims with the gold list one to one: class and location must both be equal. A use case that is on every page matches
 * a claim with any location.
 */
export function matchGoldList(gold: readonly GoldUseCase[], claims: readonly Claim[]) {
  const open = [...claims];
  const missing = gold.filter(({ class: is, entry }) => {
    const index = open.findIndex((claim) => claim.class === is && (entry === '*' || claim.page === entry));
    if (index >= 0) open.splice(index, 1);
    return index < 0;
  });
  const hits = gold.length - missing.length;
  return {
    recall: hits / gold.length,
    precision: claims.length === 0 ? 0 : hits / claims.length,
    missing,
    extra: open,
  };
}
