import type { BrowserContext, Frame, Request } from 'playwright-core';
import { quote } from '../../../platform/errors.ts';
import { compareSubmittedValue } from '../../../platform/page/in-page/submitted-value.ts';
import { requestFrame } from '../../../platform/page/settle/request-frame.ts';
import { entryWords } from '../../vocabulary/sent-entries.ts';
import { registrableSite } from '../navigate/site-boundary.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { type EarlierPage, type ExpectedEntry, entryTools } from './compare-entries.ts';
import type { SentValuesWatch } from './sent-values-model.ts';

const { pairsIn, compare, changedSince } = entryTools(compareSubmittedValue, entryWords);

/**
 * Compares every request to the form's own site, because a script of the page may change a value after its last
 * verification.
 */
export function watchSentValues(context: BrowserContext): SentValuesWatch {
  let expected: readonly ExpectedEntry[] | undefined;
  let site: string | undefined;
  let outcome: { changed?: ExpectedEntry | undefined; hasLeft: boolean; isCompared: boolean; isWhole: boolean } = {
    hasLeft: false,
    isCompared: false,
    isWhole: false,
  };
  let opaque: ExpectedEntry[] = [];
  let earlier: EarlierPage[] = [];
  let isWatching = false;
  let isAnew = false;
  let isSentAsForm = false;
  /** Another document has replaced the sending document or frame. */
  let isGone = false;
  const senders = new WeakSet<Frame>();
  const documents = new WeakSet<Request>();
  const forget = (names: readonly string[]) => {
    const isLeft = ({ name, alias = name }: ExpectedEntry) => !names.includes(name) && !names.includes(alias);
    if (names.length > 0)
      earlier = earlier.map((page) => ({ ...page, entries: page.entries.filter((one) => isLeft(one)) }));
    earlier = earlier.filter(({ entries }) => entries.length > 0);
  };
  const remember = () => {
    // A site that has received all values may change them in its next document.
    if (!expected || expected.length === 0 || isSentAsForm || (isGone && outcome.isWhole)) return;
    forget(expected.flatMap(({ name, alias = name }) => [name, alias]));
    earlier.push({ entries: expected, isSent: outcome.isWhole });
  };
  context
    .on('request', (request) => {
      const kind = !isWatching || request.redirectedFrom() ? undefined : kindOf(request, site);
      if (kind === undefined) return;
      const isReading = request.method() === 'GET';
      if (earlier.length > 0) {
        const changed = changedSince(pairsOf(request), earlier, expected ?? [], isReading);
        outcome = { ...outcome, changed: outcome.changed ?? changed };
      }
      if (expected === undefined) return;
      // A navigation by GET after a complete submission is not a form.
      if (kind === 'document' && isReading && outcome.isWhole) return;
      if (!isReading && kind !== 'ping') outcome.hasLeft = true;
      const isForm = kind === 'document' && !isReading;
      const how = { isForm, isReading: isReading && kind !== 'document', isAgain: outcome.isWhole };
      const compared = compare(pairsOf(request), expected, how);
      if (!compared) return;
      const sender = requestFrame(request);
      if (sender) senders.add(sender);
      if (kind === 'document') documents.add(request);
      isSentAsForm ||= isForm;
      outcome = {
        changed: outcome.changed ?? compared.changed,
        hasLeft: true,
        isCompared: outcome.isCompared || compared.isCompared,
        isWhole: outcome.isWhole || (compared.isWhole && !compared.changed),
      };
      opaque.push(...compared.opaque);
    })
    .on('response', (response) => {
      // Later requests come from the next page.
      if (documents.has(response.request())) expected &&= [];
      const frame = response.request().isNavigationRequest() ? requestFrame(response.request()) : undefined;
      if (frame?.parentFrame() === null) isAnew = true;
      // A frame with other content, such as a map, may load at any time.
      if (!frame || (frame.parentFrame() !== null && !senders.has(frame))) return;
      isGone = true;
      earlier = earlier.filter(({ isSent }) => !isSent);
    });
  return {
    earlierPages: () => earlier,
    hasNewDocument: () => isAnew,
    forget,
    expect(sendings, url) {
      // The click was on a page without questions, so the page before it may not have been sent yet.
      if (!sendings) remember();
      expected = sendings;
      isWatching = true;
      isAnew = false;
      isGone = false;
      isSentAsForm = false;
      site = siteAt(url);
      outcome = { ...outcome, hasLeft: false, isCompared: false, isWhole: false };
      opaque = [];
    },
    end() {
      remember();
      expected = undefined;
      isWatching = false;
      const { changed, hasLeft, isCompared } = outcome;
      const isUncompared = hasLeft && !isCompared && opaque.length === 0;
      outcome = { ...outcome, hasLeft: false };
      return { changed, isUncompared, opaque };
    },
  };
}

const siteAt = (address: string) => {
  const url = URL.parse(address);
  return url ? registrableSite(url) : undefined;
};

/** How a request may carry the entered values; undefined if it carries none, or goes to another site. */
function kindOf(request: Request, site: string | undefined): 'document' | 'script' | 'ping' | undefined {
  const type = request.resourceType();
  if (type === 'document') return 'document';
  if (!['fetch', 'xhr', 'ping'].includes(type) || siteAt(request.url()) !== site) return undefined;
  return type === 'ping' ? 'ping' : 'script';
}

function pairsOf(request: Request): Iterable<readonly [string, unknown]> {
  const body = request.postData();
  if (body === null) return request.method() === 'GET' ? (URL.parse(request.url())?.searchParams ?? []) : [];
  return body.startsWith('--') ? partsIn(body) : pairsIn(body);
}

/** The parts of a multipart body. */
function partsIn(body: string): [string, string][] {
  return body.split(/^--\S+\r?\n/m).flatMap((part): [string, string][] => {
    const [, name, value] =
      /^content-disposition: form-data; name="([^"]*)"\r?\n\r?\n(.*?)\r?\n(?:--\S+\s*)?$/is.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

/** Fails if the page sent another value than the entered one, because the response then answers another question. */
export function throwIfSentOtherwise({ sentValues, pageNumber, warnings }: WizardRun): void {
  const { changed, isUncompared, opaque } = sentValues.end();
  if (changed)
    throw runError(
      'selector_not_found',
      `Page ${pageNumber} was submitted with another value of ${quote(changed.label)} than user data has: the page itself changed it.`,
      { field_id: changed.field_id, technical_details: 'VALUE_CHANGED_BY_PAGE' },
    );
  const labels = [...new Set(opaque.map(({ label }) => quote(label)))].join(', ');
  if (labels)
    warnings.push(
      `Page ${pageNumber} sent these values in an encoding that cannot be compared with user data: ${labels}`,
    );
  if (isUncompared)
    warnings.push(
      `The request of page ${pageNumber} could not be compared with user data: its script uses its own names.`,
    );
}
