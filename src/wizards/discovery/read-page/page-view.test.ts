import { expect, test } from 'vitest';
import type { PageEvent } from '../../../platform/page/settle/page-events.ts';
import { describeBrowserEvents } from './page-view.ts';

test('reports repeated browser events once and counts the rest', () => {
  const dialog = (text: string): PageEvent => ({ kind: 'dialog', text, url: '' });
  expect(describeBrowserEvents(Array.from({ length: 500 }, () => dialog('It said "hi".')))).toBe(' It said "hi".');
  const many = describeBrowserEvents(Array.from({ length: 14 }, (_, i) => dialog(`It said "${i}".`)));
  expect(many).toMatch(/^ It said "0"\..* It said "9"\. And 4 more\.$/);
});
