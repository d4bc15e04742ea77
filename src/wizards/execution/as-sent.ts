import type { BrowserContext, Request } from 'playwright-core';
import { quote } from '../../platform/errors.ts';
import { isSentAs } from '../../platform/page/in-page/sent-as.ts';
import { runError } from './failures.ts';
import type { Run } from './run.ts';
import { type Sending, sendingTools } from './sending-tools.ts';

/** Compares what leaves the browser with what the fields held that it comes from. */
export interface AsSent {
  /** From now on, until the next time. */
  expect(sendings: readonly Sending[], url: string): void;
  /** What was sent otherwise. */
  changed(): Sending | undefined;
}

const { pairsIn, compare } = sendingTools(isSentAs);

/** A page may change a value after the last look at it, in its own script. The first thing that is about the fields counts. */
export function watchAsSent(context: BrowserContext): AsSent {
  let expected: readonly Sending[] = [];
  let host: string | undefined;
  let changed: Sending | undefined;
  context.on('request', (request) => {
    if (expected.length === 0 || request.redirectedFrom()) return;
    const isDocument = request.resourceType() === 'document';
    const isOwn = URL.parse(request.url())?.host === host;
    if (!isDocument && (!isOwn || !['fetch', 'xhr'].includes(request.resourceType()))) return;
    const isForm = isDocument && request.method() === 'POST';
    const compared = compare(pairsOf(request, isDocument), expected, { isDocument, isForm });
    if (!compared) return;
    // What is sent after it, with the same names, is not what was filled in.
    expected = [];
    changed ??= compared.changed;
  });
  return {
    expect(sendings, url) {
      expected = sendings;
      host = URL.parse(url)?.host;
    },
    changed: () => changed,
  };
}

function pairsOf(request: Request, isDocument: boolean): Iterable<readonly [string, unknown]> {
  const body = request.postData();
  if (body === null) return isDocument ? (URL.parse(request.url())?.searchParams ?? []) : [];
  return body.startsWith('--') ? partsIn(body) : pairsIn(body);
}

/** Of a form with files. */
function partsIn(body: string): [string, string][] {
  return body.split(/^--\S+\r?\n/m).flatMap((part): [string, string][] => {
    const [, name, value] =
      /^content-disposition: form-data; name="([^"]*)"\r?\n\r?\n(.*?)\r?\n(?:--\S+\s*)?$/is.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
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
