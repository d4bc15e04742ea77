import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpackChromium } from '../../src/platform/browser/packaged-chromium.ts';
import { newFolder } from '../support/folders.ts';

const compress = (data: Buffer) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

test('leaves nothing behind when one part cannot be unpacked while others are being written', async () => {
  await using folder = await newFolder();
  const files = Array.from({ length: 3000 }, (_, i) => `parts/folder-${i % 100}/file-${i}`);
  for (const file of files) await folder.write(file, 'x'.repeat(1000));
  const tar = execFileSync('tar', ['-cf', '-', '-C', join(folder.path, 'parts'), '.'], { maxBuffer: 100_000_000 });
  await folder.write('package/package.json', '{ "version": "1.0.0" }');
  await folder.write('package/bin/chromium.br', 'not compressed');
  for (const name of ['al2023', 'fonts', 'swiftshader'])
    await folder.write(`package/bin/${name}.tar.br`, compress(tar));
  const home = join(folder.path, 'home');
  await expect(unpackChromium(join(folder.path, 'package/bin'), home)).rejects.toThrow(/decompress/i);
  expect(await readdir(join(home, 'browser'))).toEqual([]);
});
