import type { Stage } from '../replay/stage.ts';
import type { Expectation } from './model.ts';
import { isOfNow } from './passing.ts';
import { generic, isPassing } from './texts.ts';

/** A file that arrived, with its first line. */
export interface ArrivedFile {
  name: string;
  firstLine: string;
}

/** What the last thing that was done has brought; what is empty or did not arrive is left out. */
export async function arrivedFiles({ offered }: Pick<Stage, 'offered'>): Promise<ArrivedFile[]> {
  const arrived = await Promise.all(
    offered().map(async ({ name, beginning }) => ({ name, beginning: (await beginning) ?? '' })),
  );
  return arrived
    .filter(({ beginning }) => beginning !== '')
    .map(({ name, beginning }) => ({ name, firstLine: beginning.trimStart().split(/\r?\n/)[0]?.trimEnd() ?? '' }));
}

interface TwoLooks {
  first: readonly ArrivedFile[];
  second: readonly ArrivedFile[];
  uniques: [string, string];
  isPrivate(text: string): boolean;
}

/** The file that both looks were given, as far as it is the same another day. */
export function fileOfBoth({ first: [one], second: [other], uniques, isPrivate }: TwoLooks): Expectation[] {
  if (!one || !other) return [];
  const file = commonName(generic(one.name, uniques[0]), generic(other.name, uniques[1]));
  if (file === undefined || isPrivate(one.name)) return [];
  const begins = generic(one.firstLine, uniques[0]);
  const isSame = begins === generic(other.firstLine, uniques[1]) && !isPrivate(one.firstLine);
  const isLasting = !isPassing(begins, []) && !/\d{6}/.test(begins);
  const isText = /^[^\p{C}\uFFFD]{3,160}$/u.test(begins);
  return [{ do: 'expectDownload', file, ...(isSame && isLasting && isText && { begins }), oracle: 'observed' }];
}

/** A date or a number in the name of a file is another each time. */
function commonName(one: string, other: string): string | undefined {
  if (one === other && !isOfNow(one) && !/\d{4}/.test(one)) return one;
  const open = (name: string) => name.replaceAll(/\d+/g, '*');
  return open(one) === open(other) ? open(one) : undefined;
}
