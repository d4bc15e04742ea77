import { getDocumentProxy } from 'unpdf';
import { Failure, quote } from '../../platform/errors.ts';
import { damagedDocument, documentError } from './document-errors.ts';

const MOST_PAGES = 2000;

/** The text of a PDF, page by page, up to the limit of characters. */
export async function readPdfText(bytes: Uint8Array, fileName: string, mostCharacters: number): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(bytes)).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'PasswordException'
      ? documentError('ENCRYPTED', `${quote(fileName)} is protected by a password. Save it without one.`)
      : damagedDocument(fileName, 'PDF', error);
  });
  if (document.numPages > MOST_PAGES)
    throw documentError(
      'TOO_MANY_PAGES',
      `${quote(fileName)} has ${document.numPages} pages; the limit is ${MOST_PAGES}.`,
    );
  const pages: string[] = [];
  let length = 0;
  try {
    for (let number = 1; number <= document.numPages && length <= mostCharacters; number++) {
      const { items } = await (await document.getPage(number)).getTextContent();
      const page = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
      pages.push(page);
      length += page.length;
    }
  } catch (error) {
    throw error instanceof Failure ? error : damagedDocument(fileName, 'PDF', error);
  }
  return pages.join('\n\n');
}
