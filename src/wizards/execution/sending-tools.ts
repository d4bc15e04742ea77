import type { isSentAs } from '../../platform/page/in-page/sent-as.ts';
import type { Entry } from '../../platform/page/set-together.ts';

/** What a form would send of a field. */
export interface Sending extends Entry {
  field_id: string;
  label: string;
  /** How a script of the page called it when the form was discovered. */
  alias?: string | undefined;
}

/**
 * What leaves a page, beside what its fields hold. Stands alone, since its text travels to pages. Only what has the name of a
 * field is compared: a form that is sent as such, or else something with all the names of the fields.
 */
export function sendingTools(isSame: typeof isSentAs) {
  /** What the body of a request carries, by name; nothing where that cannot be read. */
  function pairsIn(body: string): [string, unknown][] {
    if (!/^\s*[{[]/.test(body)) return [...new URLSearchParams(body)];
    try {
      return leavesOf('', JSON.parse(body), 0);
    } catch {
      return [];
    }
  }

  /** What an object holds, however deep, by the last name on the way to it. */
  function leavesOf(name: string, value: unknown, depth: number): [string, unknown][] {
    if (typeof value === 'string' || typeof value === 'number') return [[name, value]];
    if (typeof value !== 'object' || value === null || depth > 5) return [];
    const inner = Object.entries(value);
    return inner.flatMap(([key, part]) => leavesOf(Array.isArray(value) ? name : key, part, depth + 1));
  }

  /** Which of them has been changed; undefined where it is not about them. */
  function compare(
    pairs: Iterable<readonly [string, unknown]>,
    expected: readonly Sending[],
    { isDocument, isForm }: { isDocument: boolean; isForm: boolean },
  ): { changed: Sending | undefined } | undefined {
    const sent = new Map<string, unknown[]>();
    for (const [name, value] of pairs) sent.set(name, [...(sent.get(name) ?? []), value]);
    const of = ({ name, alias }: Sending) => sent.get(name) ?? (alias === undefined ? undefined : sent.get(alias));
    // Where a script is known to have names of its own, those of the elements need not be among them.
    const isOwn = expected.some(({ alias }) => alias !== undefined);
    const needed = isOwn && !isDocument ? expected.filter(({ isText }) => isText) : expected;
    const known = needed.filter((sending) => of(sending) !== undefined);
    if (known.length === 0 || (!isForm && known.length < needed.length)) return undefined;
    // A script has its own words for a choice.
    const isKept = ({ value, isText }: Sending, now: unknown) =>
      isText ? isSame(value, String(now)) : !isDocument || now === value || /[^ -~]/.test(value);
    // A name that only the script has may belong to something else by now; what it stood for is there all the same.
    const isElsewhere = (sending: Sending) =>
      sending.alias !== undefined && [...sent.values()].flat().some((now) => isKept(sending, now));
    const isChanged = (sending: Sending) => !of(sending)?.some((now) => isKept(sending, now)) && !isElsewhere(sending);
    return { changed: known.find(isChanged) };
  }

  return { pairsIn, compare };
}

export type SendingTools = ReturnType<typeof sendingTools>;
