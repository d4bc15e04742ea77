import type { DemoProject } from './project.ts';
import { type Client, call, say, title } from './stage.ts';

/** An agent changes a project: coverage before, what the change did to it, whether it meets its spec, and the new test. */
export async function coverageAndStandards(client: Client, project: DemoProject): Promise<void> {
  const lcovPath = 'coverage/lcov.info';
  await title('COVERAGE. A small project with tests; its own test run writes the LCOV report');
  const { tools } = await client.listTools();
  await say(`the server offers ${tools.length} tools in five toolsets`);

  await title('Before the change');
  await call(client, 'get_overall_coverage', { lcovPath, include: ['branches', 'functions'] });
  const { snapshotId } = await call(client, 'start_coverage_snapshot', { lcovPath });

  await title('The agent adds a discount, without a test, and says "done"');
  await project.addDiscount();
  await call(client, 'end_coverage_snapshot', { snapshotId, lcovPath });
  await call(client, 'get_patch_coverage', { lcovPath, base: 'HEAD' });
  await call(client, 'get_uncovered_lines', { lcovPath });

  await title('STANDARDS. The change has a spec, with a criterion for the discount. Is it met?');
  await call(client, 'caws_validate', {});
  await call(client, 'caws_iterate', { currentState: 'The discount is implemented and tested' });

  await title('It is shown what is missing, and writes the test');
  await project.testDiscount();
  await call(client, 'get_patch_coverage', { lcovPath, base: 'HEAD' });
  await call(client, 'end_coverage_snapshot', { snapshotId, lcovPath });
  await call(client, 'caws_iterate', { currentState: 'The discount is implemented and tested' });
  const { evaluation } = await call(client, 'caws_evaluate', {});
  if (evaluation && typeof evaluation === 'object' && 'overall_status' in evaluation)
    await say(`the verdict: ${evaluation.overall_status}`);

  await title('And when it asks for what is not there');
  await call(client, 'get_overall_coverage', { lcovPath: 'coverage/lcov.inf' });
}
