import { expect, test } from 'vitest';
import type { PageLink } from '../read/page-layout.ts';
import { requirementFilter, splitRequirements } from '../recognise/match-requirements.ts';
import { createCrawl, emptyCrawl } from './crawl-state.ts';

const origin = 'http://site';
const link = (path: string, text: string): PageLink => ({
  ...{ href: `${origin}${path}`, text, place: 'main', rel: '', language: '' },
  ...{ download: false, isColumn: false, isItem: false },
});

test('visits required pages first, then the others in site order', () => {
  const crawl = createCrawl(
    emptyCrawl(),
    origin,
    { depth: 8 },
    requirementFilter(splitRequirements(['Invoices and gift vouchers'])),
  );
  crawl.follow([link('/news', 'News'), link('/about', 'About us')], origin, 0);
  crawl.follow([link('/account/invoices', 'All of them'), link('/help', 'Help')], origin, 3);
  const order = Array.from({ length: 4 }, () => crawl.next()?.url.replace(origin, ''));
  expect(order).toEqual(['/account/invoices', '/news', '/about', '/help']);
});

test('skips language links unless the first page only offers languages', () => {
  const crawl = createCrawl(emptyCrawl(), origin, { depth: 2 });
  const links = [{ ...link('/de/', 'Deutsch'), language: 'de' }, link('/en/', 'English')];
  crawl.follow(links, origin, 0);
  expect(crawl.left()).toBe(0);
  crawl.chooseLanguage(links, origin);
  expect(crawl.next()?.url).toBe(`${origin}/en/`);
  expect(crawl.next()).toBeUndefined();
});

test('skips links that change something, leave the site or exceed the depth', () => {
  const crawl = createCrawl(emptyCrawl(), origin, { depth: 2 });
  crawl.follow([link('/orders/5/delete', 'Open'), link('/orders/5', 'Remove')], origin, 0);
  crawl.follow([{ ...link('/', 'Elsewhere'), href: 'http://other.example/' }], origin, 0);
  crawl.follow([link('/deep', 'Deep')], origin, 2);
  expect(crawl.next()).toBeUndefined();
});
