import type { PageReading } from '../../platform/page/model.ts';
import { elementLists, elementsOf } from './elements.ts';
import { proposePage } from './propose-page.ts';
import { readNow } from './reading.ts';
import { withoutSecrets } from './secrets.ts';
import { pageOf, type Session } from './session.ts';
import { pictureOf, type ShowPicture, told } from './view.ts';

export interface PageInfo {
  screenshot: string;
  current_url: string;
  page_title: string;
  elements: ReturnType<typeof elementLists>;
  proposed_page_metadata: Record<string, unknown>;
  remarks: string[];
  errors: { message: string; field: string }[];
  dialogs: PageReading['dialogs'];
}

/** All that is known of the page that is open, and its metadata as it could be saved. */
export async function pageInfo(session: Session, show: ShowPicture): Promise<PageInfo> {
  const page = pageOf(session);
  const reading = await readNow(session);
  const elements = elementLists(await elementsOf(page));
  const proposal = proposePage(session, reading);
  const happened = told(session.watch.take()).trim();
  const said = {
    current_url: page.url(),
    page_title: reading.title,
    elements,
    remarks: [...proposal.remarks, ...(happened ? [happened] : [])],
    errors: reading.errors.map(({ text, control }) => ({ message: text, field: control })),
    dialogs: reading.dialogs,
  };
  return {
    screenshot: await pictureOf(page, show, session.secrets),
    ...withoutSecrets(session, said),
    proposed_page_metadata: { ...proposal.page },
  };
}
