import { expect, test } from 'vitest';
import { testPages } from '../../platform/page/test-support.ts';
import { readNamed } from './read-results.ts';

const open = testPages();

test('a pattern that gets lost in the text of a page costs its own value only, and is not tried again', async () => {
  const page = await open(`<p>Grant: 42</p><p>${'\u4e2d'.repeat(60)}?</p>`);
  const pattern = '(?:[\\u4e00-\\u9fff]+)+!';
  const named = {
    lost: { pattern, type: 'text' as const },
    grant: { pattern: 'Grant: (\\d+)', type: 'text' as const },
  };
  const slow = new Set<string>();
  expect((await readNamed(page, named, slow)).values).toEqual({ grant: '42' });
  expect([...slow]).toEqual([pattern]);
  expect((await readNamed(page, named, slow)).values).toEqual({ grant: '42' });
});
