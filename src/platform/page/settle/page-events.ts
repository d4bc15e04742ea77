import type { BrowserContext, ConsoleMessage, Dialog, Download, Page, Request } from 'playwright-core';
import { quote } from '../../errors.ts';

export interface PageEvent {
  kind: 'dialog' | 'download' | 'new-tab' | 'console-error' | 'page-error' | 'failed-request' | 'crash';
  /** In words, the page's own quoted and cut. */
  text: string;
  url: string;
  /** Of a dialog: how it was asked, in the page's own words, and what it got. */
  dialog?: { type: string; message: string; accepted: boolean };
}

export interface PageEventOptions {
  /** A tab that the page opens becomes the current one (`page()`), instead of being closed. */
  followTabs?: boolean;
  /** What a dialog gets: it is dismissed, unless this says of its words to accept it. */
  acceptDialogs?: (message: string) => boolean;
  /** What is offered as a file arrives, instead of being refused. */
  keepsDownloads?: boolean;
}

export interface PageEventWatch extends Disposable {
  /** The page to look at: the one that was opened last, if tabs are followed. */
  page(): Page;
  /** What happened since the last time this was asked, oldest first. */
  take(): PageEvent[];
}

const MOST = 100;

/** Records what happens beside the page, and tames it: dialogs are dismissed, downloads cancelled, tabs followed or closed. */
export function watchPageEvents(context: BrowserContext, first: Page, options: PageEventOptions = {}): PageEventWatch {
  const { followTabs = false, acceptDialogs = () => false, keepsDownloads = false } = options;
  const pages = [first];
  let happenings: PageEvent[] = [];
  const note = (kind: PageEvent['kind'], text: string, url: string, more: Pick<PageEvent, 'dialog'> = {}) => {
    if (happenings.length < MOST) happenings.push({ kind, text, url, ...more });
  };
  const onDialog = (dialog: Dialog) => {
    const type = dialog.type();
    const message = dialog.message();
    const accepted = acceptDialogs(message);
    const answer = accepted ? 'accepted' : 'dismissed';
    const kind = type === 'beforeunload' ? 'a question before leaving' : type;
    note('dialog', `The page opened a dialog (${kind}: ${quote(message)}); it was ${answer}.`, urlOf(dialog.page()), {
      dialog: { type, message, accepted },
    });
    // A page that asks before it is left would hold everything up for ever.
    const ending = accepted || type === 'beforeunload' ? dialog.accept() : dialog.dismiss();
    ending.catch(() => {});
  };
  const onDownload = (download: Download) => {
    const offered = `The page offered a download (${quote(download.suggestedFilename())})`;
    note('download', keepsDownloads ? `${offered}.` : `${offered}; it was not kept.`, download.url());
    if (!keepsDownloads) download.cancel().catch(() => {});
  };
  const onError = (error: Error) => note('page-error', quote(error.message, 300), '');
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error') note('console-error', quote(message.text(), 300), message.location().url);
  };
  const onFailed = (request: Request) => {
    const reason = request.failure()?.errorText ?? 'failed';
    // What is cancelled because the page goes on did not fail.
    if (reason !== 'net::ERR_ABORTED')
      note('failed-request', `${request.method()} ${quote(request.url(), 200)}: ${reason}`, request.url());
  };
  const onCrash = () => note('crash', 'The page crashed the browser tab.', '');
  const onClose = (page: Page) => {
    const index = pages.indexOf(page);
    if (index > 0) pages.splice(index, 1);
  };
  const onPage = (page: Page) => {
    if (pages.includes(page)) return;
    note(
      'new-tab',
      followTabs ? 'The page opened a new tab, which is looked at now.' : 'The page opened a new tab; it was closed.',
      page.url(),
    );
    if (!followTabs) return void page.close().catch(() => {});
    pages.push(page);
    begin(page);
  };
  const begin = (page: Page) =>
    page
      .on('dialog', onDialog)
      .on('download', onDownload)
      .on('pageerror', onError)
      .on('console', onConsole)
      .on('requestfailed', onFailed)
      .on('crash', onCrash)
      .on('close', onClose);
  const end = (page: Page) =>
    page
      .off('dialog', onDialog)
      .off('download', onDownload)
      .off('pageerror', onError)
      .off('console', onConsole)
      .off('requestfailed', onFailed)
      .off('crash', onCrash)
      .off('close', onClose);
  begin(first);
  context.on('page', onPage);
  return {
    page: () => pages.findLast((page) => !page.isClosed()) ?? first,
    take() {
      const taken = happenings;
      happenings = [];
      return taken;
    },
    [Symbol.dispose]() {
      context.off('page', onPage);
      for (const page of pages) end(page);
    },
  };
}

function urlOf(page: Page | null): string {
  return page?.url() ?? '';
}
