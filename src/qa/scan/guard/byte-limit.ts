import type { BrowserContext, Page } from 'playwright-core';

/** Limit for a page with all its resources. */
const MOST_PAGE_BYTES = 30_000_000;
/** Limit for the document, because its text is parsed. */
const MOST_DOCUMENT_BYTES = 5_000_000;

/** Counts the bytes that a page loads. */
export interface ByteLimit {
  /** Restarts the count; resolves if a limit is exceeded. */
  exceeded(): Promise<void>;
}

/** Stops loading when a page exceeds its limits. */
export async function limitBytes(context: BrowserContext, page: Page): Promise<ByteLimit> {
  const documents = new Set<string>();
  let bytes = { page: 0, document: 0 };
  let over = Promise.withResolvers<void>();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable', { maxTotalBufferSize: 1_000_000, maxResourceBufferSize: 1_000_000 });
  const add = (more: number, isDocument: boolean) => {
    bytes.page += more;
    if (isDocument) bytes.document += more;
    if (bytes.page <= MOST_PAGE_BYTES && bytes.document <= MOST_DOCUMENT_BYTES) return;
    over.resolve();
    session.send('Page.stopLoading').catch(() => {});
  };
  session.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'Document') documents.add(requestId);
  });
  session.on('Network.dataReceived', ({ requestId, dataLength }) => add(dataLength, documents.has(requestId)));
  // The declared length allows to stop before the body arrives.
  page.on('response', (response) => {
    const promised = Number(response.headers()['content-length'] ?? 0);
    if (promised > MOST_PAGE_BYTES) add(promised, false);
  });
  return {
    exceeded() {
      bytes = { page: 0, document: 0 };
      documents.clear();
      over = Promise.withResolvers();
      return over.promise;
    },
  };
}
