import type { ReplaySession } from '../../replay/session/replay-session.ts';
import type { ScriptExpectation } from '../model/script-steps.ts';
import { isTransientText, withUniquePlaceholder } from './stable-text.ts';
import { dependsOnCurrentDate } from './transient-text.ts';

/** A received file, with its first line. */
export interface DownloadedFile {
  name: string;
  firstLine: string;
}

/** The files that the last action produced, without empty ones and those that did not arrive. */
export async function collectDownloads({ downloads }: Pick<ReplaySession, 'downloads'>): Promise<DownloadedFile[]> {
  const arrived = await Promise.all(
    downloads().map(async ({ name, beginning }) => ({ name, beginning: (await beginning) ?? '' })),
  );
  return arrived
    .filter(({ beginning }) => beginning !== '')
    .map(({ name, beginning }) => ({ name, firstLine: beginning.trimStart().split(/\r?\n/)[0]?.trimEnd() ?? '' }));
}

interface DownloadPair {
  first: readonly DownloadedFile[];
  second: readonly DownloadedFile[];
  uniques: [string, string];
  isPrivate(text: string): boolean;
}

/** The file that both runs received, described by its stable parts. */
export function expectDownload({
  first: [one],
  second: [other],
  uniques,
  isPrivate,
}: DownloadPair): ScriptExpectation[] {
  if (!one || !other) return [];
  const file = commonFileName(
    withUniquePlaceholder(one.name, uniques[0]),
    withUniquePlaceholder(other.name, uniques[1]),
  );
  if (file === undefined || isPrivate(one.name)) return [];
  const begins = withUniquePlaceholder(one.firstLine, uniques[0]);
  const isSame = begins === withUniquePlaceholder(other.firstLine, uniques[1]) && !isPrivate(one.firstLine);
  const isStable = !isTransientText(begins, []) && !/\d{6}/.test(begins);
  const isText = /^[^\p{C}\uFFFD]{3,160}$/u.test(begins);
  return [{ do: 'expectDownload', file, ...(isSame && isStable && isText && { begins }), oracle: 'observed' }];
}

/** A date or number in a file name differs in each run. */
function commonFileName(one: string, other: string): string | undefined {
  if (one === other && !dependsOnCurrentDate(one) && !/\d{4}/.test(one)) return one;
  const open = (name: string) => name.replaceAll(/\d+/g, '*');
  return open(one) === open(other) ? open(one) : undefined;
}
