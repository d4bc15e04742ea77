import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../../test/support/folders.ts';
import { readRunPicture, startRunRecord } from './run-record.ts';

const jpeg = Buffer.from('a picture');
const idOf = (uri = '') => uri.replace('wizards://runs/', '');

test('keeps pictures as long as the record of their run', async () => {
  await using folder = await newFolder();
  const ids: string[] = [];
  for (let run = 0; run < 102; run++) {
    await using record = await startRunRecord(folder.path, 'form');
    record.step({ step: 'end' });
    const kept = [await record.keepPicture(1, jpeg), await record.keepPicture('results', jpeg)];
    expect(kept.map((picture) => picture?.name)).toEqual(['Page 1', 'Page of the results']);
    ids.push(idOf(kept[0]?.uri));
  }
  const found = await Promise.all(ids.map((id) => readRunPicture(folder.path, id)));
  expect(found.slice(0, 2)).toEqual([undefined, undefined]);
  expect(found.slice(2).every((picture) => picture?.mimeType === 'image/jpeg')).toBe(true);
  expect(await readdir(join(folder.path, 'form'))).toHaveLength(300);
});

test('reads nothing but pictures of runs', async () => {
  await using folder = await newFolder();
  await using record = await startRunRecord(folder.path, 'form');
  const picture = idOf((await record.keepPicture('error', jpeg))?.uri);
  expect(await readRunPicture(folder.path, picture)).toMatchObject({ data: jpeg });
  for (const other of ['', `../${picture}`, picture.replace('form.', '...'), picture.replace('error.jpg', 'jsonl')])
    expect(await readRunPicture(folder.path, other), other).toBeUndefined();
});

test('returns no picture where it cannot be written', async () => {
  await using folder = await newFolder();
  await using record = await startRunRecord(folder.path, 'form');
  await rm(join(folder.path, 'form'), { recursive: true });
  expect(await record.keepPicture(1, jpeg)).toBeUndefined();
});
