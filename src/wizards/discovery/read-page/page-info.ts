import type { PageReading } from '../../../platform/page/page-model.ts';
import { takeWithinBytes } from '../../../platform/text/byte-limit.ts';
import { proposePage } from '../propose/propose-page.ts';
import { type DiscoverySession, sessionPage } from '../session/discovery-session.ts';
import { groupElements, listPageElements } from './page-elements.ts';
import { type AttachScreenshot, captureDiscoveryScreenshot, describeBrowserEvents } from './page-view.ts';
import { describeOmission, fitErrors, listPageErrors, type PageErrorEntry } from './response-limits.ts';
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

/**
 * Everything known about the open page, and its proposed metadata. Lists that would make the response longer than 40 kB are cut,
 * and a remark says so, unless `full` asks for everything.
 */
export async function describePage(session: DiscoverySession, show: AttachScreenshot, full = false): Promise<PageInfo> {
  const page = sessionPage(session);
  const reading = await readSessionPage(session);
  const all = groupElements(await listPageElements(page));
  const proposal = proposePage(session, reading);
  const happened = describeBrowserEvents(session.watch.take()).trim();
  const fields = full ? proposal.page.fields : takeWithinBytes(proposal.page.fields, MAX_BYTES.fields);
  const elements = full ? all : fittingElements(all);
  const remarks = [...proposal.remarks, ...(happened ? [happened] : [])];
  const allErrors = listPageErrors(session, reading);
  const errors = full ? allErrors : fitErrors(allErrors);
  const said = {
    current_url: page.url(),
    page_title: reading.title,
    elements,
    remarks: [
      ...describeOmission('fields of proposed_page_metadata', fields, proposal.page.fields, HOW_TO_GET_ALL),
      ...describeOmission('elements', Object.values(elements).flat(), Object.values(all).flat(), HOW_TO_GET_ALL),
      ...describeOmission('errors', errors, allErrors, HOW_TO_GET_ALL),
      ...(full ? remarks : takeWithinBytes(remarks, MAX_BYTES.remarks)),
    ],
    errors,
    dialogs: full ? reading.dialogs : takeWithinBytes(reading.dialogs, MAX_BYTES.dialogs),
  };
  return {
    screenshot: await captureDiscoveryScreenshot(session, page, show),
    ...redactSecrets(session, said),
    proposed_page_metadata: { ...proposal.page, fields },
  };
}

/** Together with the rest, these keep a response below 40 kB. */
const MAX_BYTES = { fields: 22_000, elements: 2_500, remarks: 1_500, dialogs: 500 };

const HOW_TO_GET_ALL = 'full: true returns all of them';

function fittingElements({ inputs, selects, textareas, buttons }: PageInfo['elements']): PageInfo['elements'] {
  const some = <Item>(list: readonly Item[]) => takeWithinBytes(list, MAX_BYTES.elements);
  const short = selects.map((each) => ({ ...each, options: takeWithinBytes(each.options, MAX_BYTES.elements / 4) }));
  return { inputs: some(inputs), selects: some(short), textareas: some(textareas), buttons: some(buttons) };
}
