import { expect, test } from 'vitest';
import { createDiscoveryPictures } from './discovery-pictures.ts';

const jpeg = (text: string) => Buffer.from(text);
const idOf = (uri: string) => uri.replace('wizards://discoveries/', '');

test('finds a picture for its owner until it is removed', () => {
  const pictures = createDiscoveryPictures(() => true);
  const { uri, data } = pictures.keep('a', 'me', jpeg('one'));
  expect(uri).toBe('wizards://discoveries/a.1.jpg');
  expect(pictures.find(idOf(uri), 'me')).toBe(data);
  expect(pictures.find(idOf(uri), 'stranger')).toBeUndefined();
  expect(pictures.find('a.2.jpg', 'me')).toBeUndefined();
  expect(pictures.find('b.1.jpg', 'me')).toBeUndefined();
  pictures.remove('a');
  expect(pictures.find(idOf(uri), 'me')).toBeUndefined();
});

test('keeps the newest twenty pictures of a discovery', () => {
  const pictures = createDiscoveryPictures(() => true);
  const kept = Array.from({ length: 23 }, (_, i) => pictures.keep('a', 'me', jpeg(String(i))));
  const found = kept.map(({ uri }) => pictures.find(idOf(uri), 'me') !== undefined);
  expect(found.lastIndexOf(false)).toBe(2);
  expect(found.filter(Boolean)).toHaveLength(20);
});

test('keeps the pictures of the newest twenty discoveries without a session, and of every session', () => {
  const pictures = createDiscoveryPictures((id) => id === 'open');
  const open = pictures.keep('open', 'me', jpeg('open'));
  const failed = Array.from({ length: 25 }, (_, i) => pictures.keep(`failed${i}`, 'me', jpeg(String(i))));
  expect(pictures.find(idOf(open.uri), 'me')).toBeDefined();
  const found = failed.map(({ uri }) => pictures.find(idOf(uri), 'me') !== undefined);
  expect(found.lastIndexOf(false)).toBe(4);
  expect(found.filter(Boolean)).toHaveLength(20);
});
