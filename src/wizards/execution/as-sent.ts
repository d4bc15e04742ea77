import type { BrowserContext, Request } from 'playwright-core';
import { quote } from '../../platform/errors.ts';
import { isSentAs } from '../../platform/page/in-page/sent-as.ts';
import type { Entry } from '../../platform/page/set-together.ts';
import { runError } from './failures.ts';
import type { Run } from './run.ts';

/** What a form would send of a field. */
export interface Sending extends Entry {
  field_id: string;
  label: string;
}

/** Compares what leaves the browser with what the fields held that it comes from. */
export interface AsSent {
  /** From now on, until the next time. */
  expect(sendings: readonly Sending[], url: string): void;
  /** What was sent otherwise. */
  changed(): Sending | undefined;
}

/**
 * A page may change a value after the last look at it, in its own script. Only what has the name of a field is compared: a form
 * that is sent as such, or else the first thing with all the names of the fields that goes to the site.
 */
export function watchAsSent(context: BrowserContext): AsSent {
  let expected: readonly Sending[] = [];
  let host: string | undefined;
  let changed: Sending | undefined;
  context.on('request', (request) => {
    if (expected.length === 0 || request.redirectedFrom()) return;
    const isDocument = request.resourceType() === 'document';
    const isOwn = URL.parse(request.url())?.host === host;
    if (!isDocument && (!isOwn || !['fetch', 'xhr'].includes(request.resourceType()))) return;
    const entries = entriesOf(request, isDocument);
    const known = expected.filter(({ name }) => entries.has(name));
    const isForm = isDocument && request.method() === 'POST';
    if (known.length === 0 || (!isForm && known.length < expected.length)) return;
    // What is sent after it, with the same names, is not what was filled in.
    expected = [];
    changed ??= known.find((sending) => !entries.get(sending.name)?.some((sent) => isSame(sending, sent, isDocument)));
  });
  return {
    expect(sendings, url) {
      expected = sendings;
      host = URL.parse(url)?.host;
    },
    changed: () => changed,
  };
}

function isSame({ value, isText }: Sending, sent: unknown, isDocument: boolean): boolean {
  if (isText) return isSentAs(value, String(sent));
  // A script has its own words for a choice.
  return !isDocument || sent === value || /[^ -~]/.test(value);
}

/** What a request carries, by name; nothing where that cannot be read. */
function entriesOf(request: Request, isDocument: boolean): Map<string, unknown[]> {
  const body = request.postData();
  const query = isDocument && body === null ? (URL.parse(request.url())?.searchParams ?? []) : [];
  const pairs: Iterable<[string, unknown]> = body === null ? query : pairsIn(body);
  const entries = new Map<string, unknown[]>();
  for (const [name, value] of pairs) entries.set(name, [...(entries.get(name) ?? []), value]);
  return entries;
}

function pairsIn(body: string): Iterable<[string, unknown]> {
  if (body.startsWith('{')) return objectIn(body);
  if (!body.startsWith('--')) return new URLSearchParams(body);
  const parts = body.split(/^--\S+\r?\n/m);
  return parts.flatMap((part): [string, string][] => {
    const [, name, value] =
      /^content-disposition: form-data; name="([^"]*)"\r?\n\r?\n(.*?)\r?\n(?:--\S+\s*)?$/is.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

function objectIn(body: string): [string, unknown][] {
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
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(Array.isArray(value) ? name : key, inner, depth + 1));
}

/** Where a page has changed a value on the way, whatever it answers is no answer to what was asked. */
export function refuseSentOtherwise({ asSent, at }: Run): void {
  const changed = asSent.changed();
  if (!changed) return;
  throw runError(
    'selector_not_found',
    `Page ${at} was sent with another value of ${quote(changed.label)} than it was given: the page itself has changed it.`,
    { field_id: changed.field_id, technical_details: 'VALUE_CHANGED_BY_PAGE' },
  );
}
