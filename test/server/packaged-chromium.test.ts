import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpackChromium } from '../../src/platform/browser/packaged-chromium.ts';
import { newFolder } from '../support/folders.ts';

test('leaves nothing behind when one part cannot be unpacked while others are being written', async () => {
  await using folder = await newFolder();
  await folder.write('package/package.json', '{ "version": "1.0.0" }');
  await folder.write('package/bin/chromium.br', brotliCompressSync(Buffer.alloc(50_000_000)));
  for (const name of ['al2023', 'fonts', 'swiftshader'])
    await folder.write(`package/bin/${name}.tar.br`, brotliCompressSync(Buffer.from('no archive')));
  const home = join(folder.path, 'home');
  await expect(unpackChromium(join(folder.path, 'package/bin'), home)).rejects.toThrow(/tar ended with/);
  expect(await readdir(join(home, 'browser'))).toEqual([]);
});
