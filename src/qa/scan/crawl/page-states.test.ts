import { expect, test } from 'vitest';
import { createPageStates, pageStatesRecord } from './page-states.ts';

const at = (path: string) => new URL(path, 'http://site');
const product = ['/main', '/main/heading', '/main/form', '/main/form/button', '/main/form/spinbutton'];
const reviewed = [...product, '/main/blockquote'];
const article = ['/main', '/main/heading', '/main/paragraph', '/main/article', '/main/link'];

test('merges a hundred product pages into one state after two visits', () => {
  const states = createPageStates();
  for (let n = 0; n < 100; n++) states.meet(at(`/products/tea-${n}x`), true);
  expect(states.isCovered(at('/products/tea-1x'))).toBe(false);
  expect(states.place(at('/products/tea-1x'), product, true)).toEqual({ template: '/products/tea-1x', isNew: true });
  expect(states.place(at('/products/tea-2x'), reviewed, true)).toEqual({ template: '/products/:id', isNew: false });
  expect(states.isCovered(at('/products/tea-3x'))).toBe(true);
  expect(states.templateFor(at('/products/tea-1x'))).toBe('/products/:id');
  expect(states.seen('/products/:id')).toBe(100);
});

test('keeps sections apart even if they look alike', () => {
  const states = createPageStates();
  states.place(at('/docs/imprint'), article, false);
  states.place(at('/docs/privacy'), article, false);
  expect(states.templateFor(at('/docs/imprint'))).toBe('/docs/imprint');
  expect(states.count()).toBe(2);
});

test('does not treat an action page as an entry of its list', () => {
  const states = createPageStates();
  for (const id of [1, 2]) states.place(at(`/users/${id}`), article, true);
  expect(states.isCovered(at('/users/3'))).toBe(true);
  expect(states.isCovered(at('/users/invite'))).toBe(false);
});

test('stops visiting an endless calendar after two pages', () => {
  const states = createPageStates();
  const visited = Array.from({ length: 50 }, (_, n) => at(`/calendar?month=${n}`)).filter((url) => {
    if (states.isCovered(url)) return false;
    states.place(url, article, false);
    return true;
  });
  expect(visited.length).toBe(2);
});

test('revisits an address whose structure changed, also after a restart', () => {
  const states = createPageStates();
  expect(states.place(at('/cart'), article, false).isNew).toBe(true);
  const later = createPageStates(pageStatesRecord.parse(JSON.parse(JSON.stringify(states.toRecord()))));
  expect(later.place(at('/cart'), article, false).isNew).toBe(false);
  expect(later.place(at('/cart'), product, false)).toEqual({ template: '/cart', isNew: true });
});

test('revisits a page that shows an additional form', () => {
  const states = createPageStates();
  expect(states.place(at('/topics/1'), article, false, []).isNew).toBe(true);
  expect(states.place(at('/topics/1'), article, false, ['post reply']).isNew).toBe(true);
  expect(states.place(at('/topics/2'), article, false, ['post reply']).isNew).toBe(false);
});

test('visits more pages of a state while its examples are unusable', () => {
  const states = createPageStates();
  for (const id of [1, 2]) states.place(at(`/products/${id}`), product, true);
  states.wants('/products/:id', true);
  expect(states.isCovered(at('/products/3'))).toBe(false);
  states.wants('/products/:id', false);
  expect(states.isCovered(at('/products/3'))).toBe(true);
});
