import type { RunContext } from '../runs/run-context.ts';
import type { ReportDocument, ReportedTest } from './report-document.ts';

/** Size limit of all pictures: first those of tests that need attention, then the last picture of each test. */
const MAX_PICTURE_BYTES = 6_000_000;

/** A screenshot with its Allure file name. */
export interface StepPicture {
  name: string;
  contentType: string;
  data: Uint8Array;
}

interface PictureServices extends Pick<RunContext, 'artifacts' | 'principal'> {
  store: Pick<RunContext['store'], 'artifacts'>;
}

/** Loads the pictures of a report by artifact id. */
export async function loadStepPictures(
  { artifacts, principal, store }: PictureServices,
  { tests }: Pick<ReportDocument, 'tests'>,
  mostBytes = MAX_PICTURE_BYTES,
): Promise<Map<string, StepPicture>> {
  const pictures = new Map<string, StepPicture>();
  let bytes = 0;
  for (const id of pictureIdsByPriority(tests)) {
    const artifact = await store.artifacts.get(id);
    const data = artifact && (await artifacts.read(principal, artifact.file));
    if (!data) continue;
    bytes += data.length;
    if (bytes > mostBytes) break;
    const { contentType } = artifact;
    pictures.set(id, { name: `${id}-attachment.${contentType === 'image/png' ? 'png' : 'jpg'}`, contentType, data });
  }
  return pictures;
}

function pictureIdsByPriority(tests: readonly ReportedTest[]): Set<string> {
  const needsLook = ({ verdict, healed }: ReportedTest) => verdict !== 'passed' || healed > 0;
  const all = tests.filter(needsLook).flatMap(({ steps }) => steps.flatMap(({ picture }) => picture ?? []));
  const last = tests.flatMap(({ steps }) => steps.findLast(({ picture }) => picture !== null)?.picture ?? []);
  return new Set([...all, ...last]);
}

export function pictureDataUrl({ contentType, data }: StepPicture): string {
  return `data:${contentType};base64,${Buffer.from(data).toString('base64')}`;
}
