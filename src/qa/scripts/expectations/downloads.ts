import type { ReplaySession } from '../../replay/session/replay-session.ts';
import type { ScriptExpectation } from '../model/script-steps.ts';
import { isTransientText, withUniquePlaceholder } from './stable-text.ts';
import { dependsOnCurrentDate } from './transient-text.ts';

/** A file that arrived, with its first line. */
export interface DownloadedFile {
  name: string;
  firstLine: string;
}

/** What the last thing that was done has brought; what is empty or did not arrive is left out. */
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

/** The file that both looks were given, as far as it is the same another day. */
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

/** A date or a number in the name of a file is another each time. */
function commonFileName(one: string, other: string): string | undefined {
  if (one === other && !dependsOnCurrentDate(one) && !/\d{4}/.test(one)) return one;
  const open = (name: string) => name.replaceAll(/\d+/g, '*');
  return open(one) === open(other) ? open(one) : undefined;
}
