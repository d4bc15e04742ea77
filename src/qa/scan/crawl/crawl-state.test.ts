import { expect, test } from 'vitest';
import type { PageLink } from '../read/page-layout.ts';
import { requirementFilter, splitRequirements } from '../recognise/match-requirements.ts';
import { createCrawl, emptyCrawl } from './crawl-state.ts';

const origin = 'http://site';
const link = (path: string, text: string): PageLink => ({
  ...{ href: `${origin}${path}`, text, place: 'main', rel: '', language: '' },
  ...{ download: false, isColumn: false, isItem: false },
});

test('what was asked for is looked at first, though it lies deeper; the rest comes in the order of the site', () => {
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

test('another language is not followed, unless it is all that the first page asks for', () => {
  const crawl = createCrawl(emptyCrawl(), origin, { depth: 2 });
  const links = [{ ...link('/de/', 'Deutsch'), language: 'de' }, link('/en/', 'English')];
  crawl.follow(links, origin, 0);
  expect(crawl.left()).toBe(0);
  crawl.chooseLanguage(links, origin);
  expect(crawl.next()?.url).toBe(`${origin}/en/`);
  expect(crawl.next()).toBeUndefined();
});

test('links that change something, lead away, or go deeper than allowed are not followed', () => {
  const crawl = createCrawl(emptyCrawl(), origin, { depth: 2 });
  crawl.follow([link('/orders/5/delete', 'Open'), link('/orders/5', 'Remove')], origin, 0);
  crawl.follow([{ ...link('/', 'Elsewhere'), href: 'http://other.example/' }], origin, 0);
  crawl.follow([link('/deep', 'Deep')], origin, 2);
  expect(crawl.next()).toBeUndefined();
});
