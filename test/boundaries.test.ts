import { spawnSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/assay.ts';
import { newFolder } from './support/folders.ts';

const forbidden = [
  ['src/platform/a.ts', '../tool/tool.ts'],
  ['src/platform/d.ts', '../server/server.ts'],
  ['src/platform/b.ts', '../coverage/index.ts'],
  ['src/platform/c.ts', '@modelcontextprotocol/server'],
  ['src/coverage/a.ts', '../tool/tool.ts'],
  ['src/coverage/e.ts', '../server/server.ts'],
  ['src/coverage/b.ts', '../commands/command.ts'],
  ['src/coverage/c.ts', '@modelcontextprotocol/server'],
  ['src/coverage/tools/a.ts', '../../server/server.ts'],
  ['src/standards/a.ts', '../coverage/lcov.ts'],
  ['src/tool/a.ts', '../commands/command.ts'],
  ['src/tool/b.ts', '../coverage/index.ts'],
  ['src/tool/c.ts', '../server/server.ts'],
  ['src/tool/d.ts', '@modelcontextprotocol/server'],
  ['src/server/a.ts', '../commands/command.ts'],
  ['src/server/b.ts', '../coverage/index.ts'],
  ['src/commands/a.ts', '@modelcontextprotocol/client'],
  ['src/commands/b.ts', '../coverage/lcov.ts'],
] as const;

const allowed = [
  ['src/coverage/d.ts', '../platform/errors.ts'],
  ['src/coverage/tools/b.ts', '../../tool/tool.ts'],
  ['src/coverage/tools/c.ts', '../read.ts'],
  ['src/standards/b.ts', '../coverage/index.ts'],
  ['src/tool/toolsets.ts', '../coverage/toolset.ts'],
  ['src/server/c.ts', '@modelcontextprotocol/server'],
  ['src/server/d.ts', '../tool/tool.ts'],
  ['src/commands/c.ts', '../server/server.ts'],
] as const;

test('reject exactly the imports that cross a layer', async () => {
  await using folder = await newFolder();
  await copyFile(join(root, 'biome.json'), join(folder.path, 'biome.json'));
  for (const [file, specifier] of [...forbidden, ...allowed])
    await folder.write(file, `import { x } from '${specifier}';\nexport const y = x;\n`);
  const { stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/biome'),
    ['lint', '--vcs-enabled=false', '--only=style/noRestrictedImports', '--max-diagnostics=none'],
    { cwd: folder.path, encoding: 'utf8' },
  );
  const refused = [...`${stdout}${stderr}`.matchAll(/^(src\S+?):\d+:\d+ lint\/style\/noRestrictedImports/gm)];
  expect(refused.map(([, file]) => file).sort()).toEqual(forbidden.map(([file]) => file).sort());
});
