import type { PageReading } from '../../../platform/page/page-model.ts';
import { proposePage } from '../propose/propose-page.ts';
import { type DiscoverySession, sessionPage } from '../session/discovery-session.ts';
import { groupElements, listPageElements } from './page-elements.ts';
import { listPageErrors, type PageErrorEntry } from './page-errors.ts';
import { type AttachScreenshot, captureDiscoveryScreenshot, describeBrowserEvents } from './page-view.ts';
import { readSessionPage } from './session-reading.ts';
import { redactSecrets } from './typed-secrets.ts';

export interface PageInfo {
  screenshot: string;
  current_url: string;
  page_title: string;
  elements: ReturnType<typeof groupElements>;
  proposed_page_metadata: Record<string, unknown>;
  remarks: string[];
  errors: PageErrorEntry[];
  dialogs: PageReading['dialogs'];
}

/** Everything known about the open page, and its proposed metadata. */
export async function describePage(session: DiscoverySession, show: AttachScreenshot): Promise<PageInfo> {
  const page = sessionPage(session);
  const reading = await readSessionPage(session);
  const elements = groupElements(await listPageElements(page));
  const proposal = proposePage(session, reading);
  const happened = describeBrowserEvents(session.watch.take()).trim();
  const said = {
    current_url: page.url(),
    page_title: reading.title,
    elements,
    remarks: [...proposal.remarks, ...(happened ? [happened] : [])],
    errors: listPageErrors(session, reading),
    dialogs: reading.dialogs,
  };
  return {
    screenshot: await captureDiscoveryScreenshot(session, page, show),
    ...redactSecrets(session, said),
    proposed_page_metadata: { ...proposal.page },
  };
}
