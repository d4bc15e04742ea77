import { quote } from '../../platform/errors.ts';
import { documentError } from './document-errors.ts';
import { type DocumentFormat, decodeText, detectFormat, documentFormats } from './document-format.ts';
import { type FoundRequirement, findRequirements } from './find-requirements.ts';

export interface PrdText {
  contentType: string;
  text: string;
  /** Not redacted, like the text. */
  requirements: FoundRequirement[];
}

const MOST_CHARACTERS = 2_000_000;

/** Reads the text of a document and finds its requirements. Throws an error with a reason if it cannot be read. */
export async function readPrdDocument(bytes: Uint8Array, fileName: string, contentType: string): Promise<PrdText> {
  const found = detectFormat(bytes, fileName, contentType);
  if ('unreadable' in found) {
    const message = `${quote(fileName)} is ${found.unreadable}. PDF, Word (.docx), text and Markdown can be read.`;
    throw documentError('UNSUPPORTED_FORMAT', message);
  }
  const text = (await readers[found.format](bytes, fileName)).replaceAll('\0', '').replaceAll(/\r\n?/g, '\n').trim();
  if (text.length > MOST_CHARACTERS)
    throw documentError('TOO_MUCH_TEXT', `${quote(fileName)} holds more than ${MOST_CHARACTERS} characters of text.`);
  if (text === '')
    throw documentError(
      'NO_TEXT',
      `${quote(fileName)} holds no text. Scanned pages must go through text recognition first.`,
    );
  return { contentType: documentFormats[found.format], text, requirements: findRequirements(text) };
}

const readers: Record<DocumentFormat, (bytes: Uint8Array, fileName: string) => Promise<string>> = {
  pdf: async (bytes, fileName) => (await import('./pdf-text.ts')).readPdfText(bytes, fileName, MOST_CHARACTERS),
  docx: async (bytes, fileName) => (await import('./docx-text.ts')).readDocxText(bytes, fileName),
  txt: readText,
  md: readText,
};

async function readText(bytes: Uint8Array): Promise<string> {
  return decodeText(Buffer.from(bytes)) ?? '';
}
