import type { Frame } from 'playwright-core';
import { quote } from '../../../platform/errors.ts';
import { compareSubmittedValue } from '../../../platform/page/in-page/submitted-value.ts';
import { entryWords } from '../../vocabulary/sent-entries.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { type EarlierPage, type EntryTools, type ExpectedEntry, entryTools } from './compare-entries.ts';

/** The state of the blocker in the page, from a click on. */
interface RequestBlocker {
  /** The entry that would have been sent with another value. */
  refused: Pick<ExpectedEntry, 'field_id' | 'label'> | null;
  stop(): void;
}

interface BlockedEntries {
  taken: string[];
  refused: RequestBlocker['refused'];
}

/**
 * Runs in the page: lets a script request to the form's own site pass only with the entered values. Without it, a wrong
 * value would be detected only after it was sent. Requests by other means are compared after they are sent. Returns the
 * names that the page uses again, so that values of earlier pages under these names no longer count, and the entry that
 * was blocked on the page before.
 */
function blockInPage(
  { pairsIn, compare, changedSince }: EntryTools,
  sendings: readonly ExpectedEntry[],
  earlierPages: readonly EarlierPage[],
): BlockedEntries {
  const key = Symbol.for('assay.sending');
  const before: RequestBlocker | undefined = Reflect.get(window, key);
  before?.stop();
  const { fetch } = window;
  const { open, send } = XMLHttpRequest.prototype;
  const addresses = new WeakMap<XMLHttpRequest, string>();
  const methods = new WeakMap<XMLHttpRequest, string>();
  const isTaken = ({ name, value, checked }: ExpectedEntry) =>
    [...document.getElementsByName(name)].some((element) => {
      if (!element.checkVisibility({ checkVisibilityCSS: true })) return false;
      if (element instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(element.type))
        return element.value === value ? element.checked !== (checked !== false) : checked !== false && element.checked;
      return 'value' in element && element.value !== value;
    });
  const taken = [
    ...new Set(
      earlierPages
        .flatMap((page) => page.entries)
        .filter(isTaken)
        .map(({ name }) => name),
    ),
  ];
  let earlier = earlierPages.map((page) => ({
    ...page,
    entries: page.entries.filter(({ name }) => !taken.includes(name)),
  }));
  let expected = sendings;
  let isAgain = false;
  // The next input belongs to another page of the form, which may use the same names.
  const over = new AbortController();
  window.addEventListener('input', () => hold.stop(), { capture: true, signal: over.signal });

  function isOther(address: string, body: unknown, method = 'GET'): boolean {
    const to = URL.parse(address, document.baseURI);
    if ((expected.length === 0 && earlier.length === 0) || to?.host !== location.host) return false;
    const isForm = body instanceof FormData || body instanceof URLSearchParams;
    const isReading = /^(?:GET|HEAD)$/i.test(method);
    const carried = typeof body === 'string' ? pairsIn(body) : isForm ? [...body] : [];
    const pairs = isReading ? [...to.searchParams] : carried;
    const old = changedSince(pairs, earlier, expected, isReading);
    hold.refused = old ?? hold.refused;
    if (old) return true;
    const compared = compare(pairs, expected, { isForm: false, isReading, isAgain });
    if (!compared) return false;
    if (compared.isWhole && !compared.changed) isAgain = true;
    // A retry of a blocked request is blocked too.
    hold.refused = compared.changed ?? hold.refused;
    return compared.changed !== undefined;
  }

  const methodOf = (input: unknown) => (input instanceof Request ? input.method : 'GET');
  const ours: typeof fetch = (input, init) =>
    isOther(input instanceof Request ? input.url : String(input), init?.body, init?.method ?? methodOf(input))
      ? Promise.reject(new TypeError('Failed to fetch'))
      : fetch.call(window, input, init);
  window.fetch = ours;
  Object.assign(XMLHttpRequest.prototype, {
    open(this: XMLHttpRequest, ...given: unknown[]) {
      addresses.set(this, String(given[1]));
      methods.set(this, String(given[0]));
      Reflect.apply(open, this, given);
    },
    send(this: XMLHttpRequest, ...given: unknown[]) {
      if (isOther(addresses.get(this) ?? '', given[0], methods.get(this)))
        queueMicrotask(() => this.dispatchEvent(new ProgressEvent('error')));
      else Reflect.apply(send, this, given);
    },
  });
  const hold: RequestBlocker = {
    refused: null,
    stop: () => {
      expected = [];
      earlier = [];
      over.abort();
      if (window.fetch === ours) window.fetch = fetch;
      Object.assign(XMLHttpRequest.prototype, { open, send });
    },
  };
  Reflect.set(window, key, hold);
  return { taken, refused: before?.refused ?? null };
}

/** Blocks changed requests until the page is left or this function is called again. */
export async function blockChangedRequests(
  frames: readonly Frame[],
  sendings: readonly ExpectedEntry[],
  earlier: readonly EarlierPage[],
): Promise<BlockedEntries> {
  if (sendings.length === 0 && earlier.length === 0) return nothingBlocked;
  const given = `${JSON.stringify(sendings)}, ${JSON.stringify(earlier)}`;
  const script = `(${blockInPage})((${entryTools})(${compareSubmittedValue}, ${JSON.stringify(entryWords)}), ${given})`;
  const expectedValues = await Promise.all(
    frames.map((frame) => frame.evaluate<BlockedEntries>(script).catch(() => nothingBlocked)),
  );
  return {
    taken: expectedValues.flatMap(({ taken }) => taken),
    refused: expectedValues.find(({ refused }) => refused !== null)?.refused ?? null,
  };
}

const nothingBlocked: BlockedEntries = { taken: [], refused: null };

/** Fails if a request was blocked: nothing of it has reached the site. */
export async function throwIfBlocked(
  run: WizardRun,
  frames: readonly Frame[] = run.page().frames().slice(0, 10),
): Promise<void> {
  // A page that has been replaced has sent its values as given.
  const expectedValues = await Promise.all(frames.map((frame) => frame.evaluate(refusedInPage).catch(() => null)));
  const other = expectedValues.find((each) => each !== null);
  if (other) throw blockedRequestError(other, `Page ${run.pageNumber}`);
}

export function blockedRequestError({ field_id, label }: NonNullable<RequestBlocker['refused']>, page: string): Error {
  return runError(
    'selector_not_found',
    `${page} was not submitted: one of its scripts would have sent another value of ${quote(label)} than user data has.`,
    { field_id, technical_details: 'VALUE_CHANGED_BY_PAGE' },
  );
}

/** Runs in the page. */
function refusedInPage(): RequestBlocker['refused'] {
  const hold: RequestBlocker | undefined = Reflect.get(window, Symbol.for('assay.sending'));
  return hold?.refused ? { field_id: hold.refused.field_id, label: hold.refused.label } : null;
}
