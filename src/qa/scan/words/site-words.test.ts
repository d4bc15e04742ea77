import { expect, test } from 'vitest';
import { siteWords } from './site-words.ts';

test('books are not bookings', () => {
  for (const text of ['Book a room', 'Book now', 'Make a booking', 'Request an appointment', 'book.room'])
    expect(text).toMatch(siteWords.booking);
  for (const text of ['Add a book', 'Save book', 'Edit this book', 'Guest book', 'Books', 'Notebook'])
    expect(text).not.toMatch(siteWords.booking);
});
