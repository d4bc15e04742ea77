import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { forbidden, hostileText } from '../../test/support/server/hostile-text.ts';

test('writes invisible characters of fields and messages as escapes', () => {
  const text = hostileText('page');
  const module = new URL('./log.ts', import.meta.url).href;
  const script = `import { createLog } from ${JSON.stringify(module)};
    createLog('info').info({ text: process.argv[1], err: new Error(process.argv[1]) }, process.argv[1]);`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, text], { encoding: 'utf8' });
  expect(stderr).not.toMatch(forbidden);
  expect(JSON.parse(stderr)).toMatchObject({ text, msg: text, err: { message: text } });
});
