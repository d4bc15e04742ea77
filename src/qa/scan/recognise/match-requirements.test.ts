import { expect, test } from 'vitest';
import { matchRequirements, splitRequirements } from './match-requirements.ts';
import type { RecognisedUseCase } from './recognise-use-cases.ts';

const found = (name: RecognisedUseCase['class'], title: string): RecognisedUseCase => ({
  ...{ class: name, title, description: '', identity: title, confidence: 0.9, everywhere: false },
  ...{ acceptance: [], expected: [], signals: [], form: null, controls: [], pages: [] },
});
const login = found('login', 'Log in');
const search = found('search', 'Search products');

test('splits free text into requirements', () => {
  expect(splitRequirements(['Test login, checkout, and search flows', null]).map(({ text }) => text)).toEqual([
    'Test login',
    'checkout',
    'search flows',
  ]);
  expect(splitRequirements(['Discover e-commerce user flows'])).toEqual([]);
});

test('ranks required use cases and reports missing ones as gaps', () => {
  const { interest, gaps } = matchRequirements(
    [login, search],
    splitRequirements(['Test login, checkout and search']),
    [],
  );
  expect([...interest.keys()]).toEqual([login, search]);
  expect(gaps).toEqual([
    { text: 'checkout', requirementId: null, ref: null, reason: 'No page provides it: checkout was not found.' },
  ]);
});

test('does not match a guest book as a booking', () => {
  const reasons = (request: string) =>
    matchRequirements([login], splitRequirements([request]), []).gaps.map(({ reason }) => reason);
  expect(reasons('book a room').join()).toContain('booking');
  expect(reasons('sign the guest book').join()).not.toContain('booking');
});

test('says in the gap that the scan was incomplete', () => {
  const { gaps } = matchRequirements([login], splitRequirements(['checkout']), [], 'the limit of 5 pages was reached');
  expect(gaps[0]?.reason).toBe(
    'No page provides it: checkout was not found. The scan did not see the whole site: the limit of 5 pages was reached.',
  );
});

test('matches a requirement to a use case or reports a gap', () => {
  const requests = [
    { text: 'A user must be able to sign in with an email address.', requirementId: 'req_1', ref: 'REQ-1' },
    { text: 'Orders are shipped by drone.', requirementId: 'req_2', ref: 'REQ-2' },
  ];
  const { answers, gaps } = matchRequirements([login, search], requests, []);
  expect(answers.get(login)).toEqual(['req_1']);
  expect(gaps.map(({ ref }) => ref)).toEqual(['REQ-2']);
});
