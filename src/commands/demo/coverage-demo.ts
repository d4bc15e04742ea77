import { basename } from 'node:path';
import type { DemoProject } from './demo-project.ts';
import { type DemoSession, listRecords, toToolData } from './demo-session.ts';

const lcovPath = 'coverage/lcov.info';
const claim = { currentState: 'The discount is implemented and tested' };

/** Shows the coverage of a change and whether it meets its spec, before and after its test is written. */
export async function showCoverageAndStandards(session: DemoSession, project: DemoProject): Promise<void> {
  const { call, printLine, printHeading } = session;
  await printHeading('Coverage: an agent adds a discount to a shop, without a test, and says "done"');
  const { overall } = await call('get_overall_coverage', { lcovPath, include: ['branches', 'functions'] });
  const { snapshotId } = await call('start_coverage_snapshot', { lcovPath });
  await project.addDiscount();
  const { overallChange } = await call('end_coverage_snapshot', { snapshotId, lcovPath });
  await printLine(`Before, ${overall} % of the lines ran in tests. The change moves this by ${overallChange} points.`);
  await printLine(`Of the lines that it added, ${await describePatchCoverage(session)}.`);

  await printHeading('Standards: is the spec of the change met?');
  await call('caws_run_tests', {});
  const before = toToolData((await call('caws_iterate', claim))['iteration']);
  await printLine(`The agent claims "tested". Assay answers: ${firstSentence(before['guidance'])}`);
  await project.testDiscount();
  const { command } = await call('caws_run_tests', {});
  await printLine(
    `The agent writes the test. Assay runs the tests itself, so that the reports count: ${describeCommand(command)}.`,
  );
  await printLine(`Of the lines that the change added, ${await describePatchCoverage(session)}.`);
  const after = toToolData((await call('caws_evaluate', {}))['evaluation']);
  await printLine(`Result: ${after['message']}.`);
}

async function describePatchCoverage({ call }: DemoSession): Promise<string> {
  const found = await call('get_patch_coverage', { lcovPath, base: 'HEAD' });
  const [file] = listRecords(found, 'files').filter(({ lines }) => lines !== '');
  return `${found['percent']} % are tested${file ? `; not ${file['path']}:${file['lines']}` : ''}`;
}

function describeCommand(command: unknown): string {
  const [program = '', ...args] = Array.isArray(command) ? command.map(String) : [];
  return [basename(program), ...args.slice(0, 1)].join(' ');
}

function firstSentence(text: unknown): string {
  return `${String(text).split('. ')[0]}.`.replace(/\.\.$/, '.');
}
