import type { DemoProject } from './project.ts';
import { dataOf, list, type Stage } from './stage.ts';

const lcovPath = 'coverage/lcov.info';
const claim = { currentState: 'The discount is implemented and tested' };

/** An agent changes a project: what the change did to its coverage, and whether it meets its spec, before and after its test. */
export async function coverageAndStandards(stage: Stage, project: DemoProject): Promise<void> {
  const { call, say, chapter } = stage;
  await chapter('Coverage: an agent adds a discount to a shop, without a test, and says "done"');
  const { overall } = await call('get_overall_coverage', { lcovPath, include: ['branches', 'functions'] });
  const { snapshotId } = await call('start_coverage_snapshot', { lcovPath });
  await project.addDiscount();
  const { overallChange } = await call('end_coverage_snapshot', { snapshotId, lcovPath });
  await say(`Before, ${overall} % of the lines ran in tests. The change moves that by ${overallChange} points.`);
  await say(`Of the lines that it brought, ${await patch(stage)}.`);

  await chapter('Standards: is the spec of the change met?');
  const before = dataOf((await call('caws_iterate', claim))['iteration']);
  await say(`Asked, the agent says "tested". The answer: ${firstSentence(before['guidance'])}`);
  await project.testDiscount();
  await say(`So it writes the test. Of the lines that the change brought, ${await patch(stage)}.`);
  const after = dataOf((await call('caws_evaluate', {}))['evaluation']);
  await say(`Now: ${after['message']}.`);
}

async function patch({ call }: Stage): Promise<string> {
  const found = await call('get_patch_coverage', { lcovPath, base: 'HEAD' });
  const [file] = list(found, 'files').filter(({ lines }) => lines !== '');
  return `${found['percent']} % are tested${file ? `; not ${file['path']}:${file['lines']}` : ''}`;
}

function firstSentence(text: unknown): string {
  return `${String(text).split('. ')[0]}.`.replace(/\.\.$/, '.');
}
