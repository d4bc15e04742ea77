import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toHomeFailure } from '../environment-failure.ts';
import { makeHomeFolder, writeFileAtomic } from '../files/files.ts';
import { localIssuer } from '../principal.ts';
import type { ArtifactStore } from './artifact-store.ts';

/** Files in the home folder. Names are checked where they are made; rows of earlier versions name files outside owner folders. */
export function createFolderStore(home: string): ArtifactStore {
  const store: ArtifactStore = {
    async write(_owner, name, data, { isDurable = false } = {}) {
      const path = join(home, name);
      await makeHomeFolder(dirname(path));
      const written = isDurable ? writeFileAtomic(path, data) : writeFile(path, data, { mode: 0o600 });
      await written.catch((error: unknown) => {
        throw toHomeFailure(error, path);
      });
    },
    read: (_owner, name) => readFile(join(home, name)).catch(() => undefined),
    remove: (_owner, name) => rm(join(home, name), { force: true }),
    localPath: (name) => join(home, name),
    snapshots: () => undefined,
    async verify() {
      const owner = { issuer: localIssuer, subject: '' };
      const name = `.${randomUUID()}.tmp`;
      await store.write(owner, name, Buffer.from(name));
      await store.remove(owner, name);
      return home;
    },
    async close() {},
  };
  return store;
}
