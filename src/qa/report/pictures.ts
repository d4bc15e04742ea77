import { readArtifact } from '../runs/artifacts.ts';
import type { QaStore } from '../store/store.ts';
import type { ReportDocument, ReportedTest } from './document.ts';

/** Pictures make a page heavy: until it is full, those of the tests that need a look, then how the others ended. */
const MOST_PICTURE_BYTES = 6_000_000;

/** A file as Allure knows it, and what is in it. */
export interface Picture {
  name: string;
  contentType: string;
  data: Uint8Array;
}

/** The pictures that a report shows, by their artifact id. */
export async function loadPictures(
  { home, store }: { home: string; store: Pick<QaStore, 'artifacts'> },
  { tests }: Pick<ReportDocument, 'tests'>,
  mostBytes = MOST_PICTURE_BYTES,
): Promise<Map<string, Picture>> {
  const pictures = new Map<string, Picture>();
  let bytes = 0;
  for (const id of picturesWanted(tests)) {
    const artifact = await store.artifacts.get(id);
    const data = artifact && (await readArtifact(home, artifact));
    if (!data) continue;
    bytes += data.length;
    if (bytes > mostBytes) break;
    const { contentType } = artifact;
    pictures.set(id, { name: `${id}-attachment.${contentType === 'image/png' ? 'png' : 'jpg'}`, contentType, data });
  }
  return pictures;
}

function picturesWanted(tests: readonly ReportedTest[]): Set<string> {
  const needsLook = ({ verdict, healed }: ReportedTest) => verdict !== 'passed' || healed > 0;
  const all = tests.filter(needsLook).flatMap(({ steps }) => steps.flatMap(({ picture }) => picture ?? []));
  const last = tests.flatMap(({ steps }) => steps.findLast(({ picture }) => picture !== null)?.picture ?? []);
  return new Set([...all, ...last]);
}

export function dataUrl({ contentType, data }: Picture): string {
  return `data:${contentType};base64,${Buffer.from(data).toString('base64')}`;
}
