import { spawnSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/assay.ts';
import { newFolder } from './support/folders.ts';

const forbidden = [
  ['src/platform/a.ts', '../mcp/tool.ts'],
  ['src/platform/b.ts', '../coverage/index.ts'],
  ['src/platform/c.ts', '@modelcontextprotocol/server'],
  ['src/coverage/a.ts', '../mcp/tool.ts'],
  ['src/coverage/b.ts', '../commands/command.ts'],
  ['src/coverage/c.ts', '@modelcontextprotocol/server'],
  ['src/coverage/tools/a.ts', '../../mcp/server.ts'],
  ['src/standards/a.ts', '../coverage/lcov.ts'],
  ['src/mcp/a.ts', '../commands/command.ts'],
  ['src/mcp/b.ts', '../coverage/index.ts'],
  ['src/commands/a.ts', '@modelcontextprotocol/client'],
  ['src/commands/b.ts', '../coverage/lcov.ts'],
] as const;

const allowed = [
  ['src/coverage/d.ts', '../platform/errors.ts'],
  ['src/coverage/tools/b.ts', '../../mcp/tool.ts'],
  ['src/coverage/tools/c.ts', '../read.ts'],
  ['src/standards/b.ts', '../coverage/index.ts'],
  ['src/mcp/c.ts', '@modelcontextprotocol/server'],
  ['src/mcp/toolsets.ts', '../coverage/toolset.ts'],
  ['src/commands/c.ts', '../mcp/server.ts'],
] as const;

test('the rules of biome.json refuse just the imports that would cross a boundary', async () => {
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
