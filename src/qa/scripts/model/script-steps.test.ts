import { expect, test } from 'vitest';
import { scriptSteps } from './script-steps.ts';

const leadsTo = (url: string) => scriptSteps.safeParse([{ do: 'goto', url }]).success;

test('accepts paths and web addresses and rejects file URLs', () => {
  for (const url of ['/', '/login?next=/a:b', 'a/b', '?page=2', 'https://shop.example/x', 'HTTP://shop.example'])
    expect(leadsTo(url), url).toBe(true);
  for (const url of [
    'file:///etc/passwd',
    ' FILE:/etc/passwd',
    'fi\tle:///etc/passwd',
    'view-source:file:///x',
    'chrome://version',
    'data:text/html,x',
    'javascript:alert(1)',
  ])
    expect(leadsTo(url), url).toBe(false);
});
