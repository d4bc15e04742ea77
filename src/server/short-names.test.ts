import { expect, test } from 'vitest';
import { describeCatalog } from '../tool/catalog.ts';
import { resolveShortName, shortenNames } from './short-names.ts';

const names = (await describeCatalog()).toolsets.flatMap(({ tools }) => tools.map(({ name }) => name));
const longest = 'qa_workflow_get_latest_test_script_generation_runtime_by_test_case';

test('shortens only names beyond the limit, and none for 0', () => {
  expect([...shortenNames(names, 64).keys()]).toEqual([longest]);
  expect(shortenNames(names, 66).size).toBe(0);
  expect(shortenNames(names, 0).size).toBe(0);
});

test('keeps all names within every limit different, and leads back to the specified ones', () => {
  for (let most = 24; most <= 66; most++) {
    const short = shortenNames(names, most);
    const listed = names.map((name) => short.get(name) ?? name);
    expect(new Set(listed).size, String(most)).toBe(names.length);
    for (const [index, name] of listed.entries()) {
      expect(name.length).toBeLessThanOrEqual(most);
      expect(name).toMatch(/^[a-z][a-z0-9_]*[a-z0-9]$/);
      expect(resolveShortName(name, names)).toBe(names[index]);
    }
  }
});

test('gives a tool the same short name whatever other tools are served', () => {
  const all = shortenNames(names, 64).get(longest);
  expect(shortenNames([longest], 64).get(longest)).toBe(all);
  expect(all).toMatch(/^qa_workflow_get_latest_test_script_generation_runtime_by_[0-9a-f]{6}$/);
});

test('returns unknown names as they are', () => {
  for (const name of ['get_overall_coverage', 'qa_unknown_abcdef', '', 'x_123456'])
    expect(resolveShortName(name, names)).toBe(name);
});
