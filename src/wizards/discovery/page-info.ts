import { fitting } from '../../platform/fit.ts';
import type { PageReading } from '../../platform/page/model.ts';
import { elementLists, elementsOf } from './elements.ts';
import { errorsOn, fitErrors, leftOut, type ShownError } from './fit-answer.ts';
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
  errors: ShownError[];
  dialogs: PageReading['dialogs'];
}

/**
 * All that is known of the page that is open, and its metadata as it could be saved. Lists that would make the answer longer
 * than 40 kB are cut, and a remark says so, unless `full` asks for everything.
 */
export async function pageInfo(session: Session, show: ShowPicture, full = false): Promise<PageInfo> {
  const page = pageOf(session);
  const reading = await readNow(session);
  const all = elementLists(await elementsOf(page));
  const proposal = proposePage(session, reading);
  const happened = told(session.watch.take()).trim();
  const fields = full ? proposal.page.fields : fitting(proposal.page.fields, MOST_BYTES.fields);
  const elements = full ? all : fittingElements(all);
  const remarks = [...proposal.remarks, ...(happened ? [happened] : [])];
  const allErrors = errorsOn(session, reading);
  const errors = full ? allErrors : fitErrors(allErrors);
  const said = {
    current_url: page.url(),
    page_title: reading.title,
    elements,
    remarks: [
      ...leftOut('fields of proposed_page_metadata', fields, proposal.page.fields, REST),
      ...leftOut('elements', Object.values(elements).flat(), Object.values(all).flat(), REST),
      ...leftOut('errors', errors, allErrors, REST),
      ...(full ? remarks : fitting(remarks, MOST_BYTES.remarks)),
    ],
    errors,
    dialogs: full ? reading.dialogs : fitting(reading.dialogs, MOST_BYTES.dialogs),
  };
  return {
    screenshot: await pictureOf(page, show, session.secrets),
    ...withoutSecrets(session, said),
    proposed_page_metadata: { ...proposal.page, fields },
  };
}

/** Together they leave room for the rest of an answer below 40 kB. */
const MOST_BYTES = { fields: 22_000, elements: 2_500, remarks: 1_500, dialogs: 500 };

const REST = 'full: true returns all of them';

function fittingElements({ inputs, selects, textareas, buttons }: PageInfo['elements']): PageInfo['elements'] {
  const some = <Item>(list: readonly Item[]) => fitting(list, MOST_BYTES.elements);
  const short = selects.map((each) => ({ ...each, options: fitting(each.options, MOST_BYTES.elements / 4) }));
  return { inputs: some(inputs), selects: some(short), textareas: some(textareas), buttons: some(buttons) };
}
