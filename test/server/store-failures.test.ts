import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { connectStdio, runAssay } from '../support/assay.ts';
import { newFolder } from '../support/folders.ts';
import { openTestStore } from '../support/open-store.ts';

const newer = /A newer version of Assay has migrated .*assay\.db: its newest migration is 999-later/;

test('writes nothing to a store that a newer version has migrated', async () => {
  await using folder = await newFolder();
  await (await openTestStore({ home: folder.path }))[Symbol.asyncDispose]();
  const file = join(folder.path, 'assay.db');
  const database = new DatabaseSync(file);
  database.exec("insert into kysely_migration (name, timestamp) values ('999-later', '2030')");
  database.close();
  const before = await readFile(file);
  const env = { ASSAY_HOME: folder.path };
  const ran = await Promise.all([
    runAssay(['call', 'qa_project_create', '--projectName', 'Shop'], { env }),
    runAssay(['worker', '--until-idle'], { env }),
    runAssay(['secrets', 'rotate'], { env }),
    runAssay(['ci', 'qa', '--project', 'proj_1'], { env }),
    runAssay(['doctor'], { env }),
  ]);
  for (const { code, stdout, stderr } of ran) {
    expect(stdout + stderr).toMatch(newer);
    expect(code).not.toBe(0);
  }
  await using client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env });
  const { structuredContent } = await client.callTool({ name: 'qa_project_list', arguments: {} });
  expect(structuredContent).toMatchObject({
    message: expect.stringMatching(newer),
    details: { reason: 'STORE_NEWER', newest: '999-later' },
  });
  expect(await readFile(file)).toEqual(before);
});

test('rejects a relative data folder, and suggests the absolute path', async () => {
  await using folder = await newFolder();
  const { code, stderr } = await runAssay(['call', 'qa_project_list'], {
    cwd: folder.path,
    env: { ASSAY_HOME: 'data' },
  });
  expect(stderr).toContain(`ASSAY_HOME must be an absolute path such as "${join(folder.path, 'data')}", got "data".`);
  expect(code).toBe(2);
});

test('rejects a data folder that cannot be created, and exits', async () => {
  for (const args of [
    ['call', 'qa_project_list'],
    ['worker', '--until-idle'],
    ['call', 'federalrunner_list_wizards'],
  ]) {
    const { stdout, stderr } = await runAssay(args, { env: { ASSAY_HOME: '/proc/assay-test' } });
    expect(stdout + stderr).not.toMatch(/defect|INTERNAL/);
  }
});

test('names the key file when the disk is full', async () => {
  await using folder = await newFolder();
  const keys = new URL('../../src/platform/secrets/secret-keys.ts', import.meta.url);
  const script = `import { loadSecretKeys } from ${JSON.stringify(fileURLToPath(keys))};
    await loadSecretKeys(process.argv[1]).catch(({ code, message }) => console.log(JSON.stringify({ code, message })));`;
  // No file may grow: the same for every user, root too.
  const limited = ['-c', 'ulimit -f 0; exec "$@" | cat', 'sh', process.execPath, '--input-type=module', '-e', script];
  const { stdout } = spawnSync('sh', [...limited, folder.path], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({
    code: 'FILE_TOO_LARGE',
    message: expect.stringContaining(`Cannot use ${join(folder.path, 'secret.key')}: `),
  });
});
