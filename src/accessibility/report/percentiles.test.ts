import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderLeaderboard } from './leaderboard.ts';
import { computePercentiles } from './percentiles.ts';
import { rankSites } from './site-scores.ts';

describe('computePercentiles', () => {
  it('gives 100 to the worst value, and the average rank to equal values', () => {
    expect(computePercentiles([0, 5, 1, 1])).toEqual([25, 100, 62.5, 62.5]);
    expect(computePercentiles([7])).toEqual([100]);
    expect(computePercentiles([2, 2, 2])).toEqual([66.67, 66.67, 66.67]);
    expect(computePercentiles([])).toEqual([]);
  });

  it('is monotonic, within 0 to 100, and independent of the input order', () => {
    const values = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(values, (list) => {
        const ranks = computePercentiles(list);
        const byValue = new Map(list.map((value, index) => [value, ranks[index]]));
        for (const [index, value] of list.entries()) {
          const rankOf = ranks[index] ?? 0;
          expect(rankOf).toBeGreaterThan(0);
          expect(rankOf).toBeLessThanOrEqual(100);
          expect(byValue.get(value)).toBe(rankOf);
          // Computed in another way: the values below, and half of the equal ones.
          const below = list.filter((other) => other < value).length;
          const equal = list.filter((other) => other === value).length;
          expect(rankOf).toBeCloseTo(((below + (equal + 1) / 2) / list.length) * 100, 1);
        }
        expect(computePercentiles(list.toReversed())).toEqual(ranks.toReversed());
      }),
    );
  });
});

describe('the leaderboard', () => {
  const site = (organisation: string, pages: number, issues: number) => ({
    organisation,
    base_url: `https://${organisation.replace(/\W/g, '')}.example`,
    num_pages_scanned: pages,
    num_issues: issues,
  });

  it('includes sites without issues, sorts the worst first, and does not rank unscanned sites', () => {
    const text = renderLeaderboard(
      rankSites([site('clean', 4, 0), site('bad, "very"', 3, 10), site('none', 0, 0), site('=1+1', 2, 1)]),
    );
    expect(text).toBe(
      [
        '\uFEFForganisation,base_url,num_pages_scanned,num_issues,average_num_issues_per_page,percentile',
        '"bad, ""very""",https://badvery.example,3,10,3.33,100',
        "'=1+1,https://11.example,2,1,0.5,66.67",
        'clean,https://clean.example,4,0,0,33.33',
        'none,https://none.example,0,0,,',
        '',
      ].join('\r\n'),
    );
  });
});
