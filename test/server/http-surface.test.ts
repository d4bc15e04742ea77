import { expect, test } from 'vitest';
import { describeCatalog } from '../../src/tool/catalog.ts';
import { connectHttp, startHttp } from '../support/assay.ts';

test('serves for --toolsets all what the folders allow, and says what it leaves out', async () => {
  await using open = await startHttp({ args: ['--toolsets', 'all', '--folders', '.'] });
  // A tool that starts programs has to be named itself.
  const all = (await describeCatalog()).toolsets.flatMap(({ tools }) =>
    tools.filter(({ local }) => local !== 'programs'),
  );
  await using client = await connectHttp('modern', open);
  expect((await client.listTools()).tools).toHaveLength(all.length);
  expect(open.stderr()).toMatch(/Not served: standards \(1 of \d+\)\. Reason .*must name the tool itself/);
  expect(open.stderr().match(/Not served/g)).toHaveLength(1);
  expect(client.getInstructions()).not.toContain('Not served');
  await using closed = await startHttp({ args: ['--toolsets', 'all'] });
  expect(closed.stderr()).toMatch(/Not served: coverage, standards, .*Reason .*no folders are allowed \(folders\)/);
  await using other = await connectHttp('modern', closed);
  expect(other.getInstructions()).toMatch(
    /Not served: tools of coverage, standards, .*no folders are allowed \(folders\)/,
  );
  const names = (await other.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('federalscout_start_discovery');
  expect(names).not.toContain('get_overall_coverage');
});
