import { expect, test } from 'vitest';
import { collectIds } from './audit.ts';
import { loadCatalog } from './catalog.ts';

test('collects the ids at the top level of arguments and results, and lists of them', () => {
  const ids = { projectId: 'a1-b.2_c', wizard_id: 'fsa-estimator', candidateIds: ['x', 'y'] };
  expect(collectIds({ ...ids, title: 'text' })).toEqual(ids);
});

test('collects nothing from records of pages and users', () => {
  const results = { national_id: '123-45-6789', projectId: 'nested' };
  expect(collectIds({ status: 'success', results, national_id: '123-45-6789', taxId: 'AB-1234' })).toEqual({});
});

test.each(['', 'two words', 'a:b', 'x'.repeat(101), 'line\nbreak', 42, { id: 'a' }])(
  'collects no value that cannot be an id: %j',
  (value) => {
    expect(collectIds({ projectId: value })).toEqual({});
    expect(collectIds({ candidateIds: [value] })).toEqual({ candidateIds: [] });
  },
);

test('knows the ids that tools and resources take', async () => {
  const { toolsets } = await loadCatalog();
  const inputs = toolsets.flatMap(({ tools }) =>
    tools.flatMap((tool) => Object.keys(tool.inputSchema.properties ?? {})),
  );
  const variables = toolsets.flatMap(({ resources }) =>
    resources.flatMap(({ uriTemplate }) => [...uriTemplate.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])),
  );
  const keys = [...inputs, ...variables].filter((key) => /^id$|[a-z]Ids?$|_ids?$/.test(key));
  expect(keys).toContain('projectId');
  expect(keys.filter((key) => !Object.hasOwn(collectIds({ [key]: 'x' }), key))).toEqual([]);
});
