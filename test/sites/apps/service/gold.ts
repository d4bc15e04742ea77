import type { GoldUseCase } from '../app.ts';

/** Gold list: all use cases of a resident. */
export const gold: readonly GoldUseCase[] = [
  { title: 'Search the site', class: 'search', entry: '*' },
  { title: 'Read the site in another language', class: 'language', entry: '*' },
  { title: 'Decide about cookies', class: 'consent', entry: '*' },
  { title: 'Find the way through the main menu', class: 'navigation', entry: '*' },
  { title: 'Apply for housing support', class: 'wizard', entry: '/apply' },
  { title: 'See how far an application is', class: 'track', entry: '/status' },
  { title: 'Book an appointment', class: 'booking', entry: '/appointments' },
  { title: 'Write to the office', class: 'contact', entry: '/contact' },
  { title: 'Subscribe to news by mail', class: 'newsletter', entry: '/news' },
  { title: 'Show news of one topic', class: 'filter', entry: '/news' },
  { title: 'Page through the news', class: 'pagination', entry: '/news' },
  { title: 'Read a piece of news', class: 'view', entry: '/news/:id' },
  { title: 'Find an office by postcode', class: 'search', entry: '/offices' },
  { title: 'Work out what support there would be', class: 'calculator', entry: '/calculator' },
  { title: 'Download a form', class: 'download', entry: '/forms' },
  { title: 'Look up an answer to a frequent question', class: 'faq', entry: '/help' },
  { title: 'Say whether a page was useful', class: 'feedback', entry: '/help' },
];
