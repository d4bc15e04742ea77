import { quote } from '../../platform/errors.ts';
import { decodeText, type Format, formats, recogniseFormat } from './format.ts';
import { refuse } from './refusals.ts';

export interface ReadDocument {
  contentType: string;
  text: string;
}

const MOST_CHARACTERS = 2_000_000;

/** The text of a document. Refuses what cannot be read, each with its reason. */
export async function readDocument(bytes: Uint8Array, fileName: string, contentType: string): Promise<ReadDocument> {
  const found = recogniseFormat(bytes, fileName, contentType);
  if ('stranger' in found) {
    const message = `${quote(fileName)} is ${found.stranger}. PDF, Word (.docx), text and Markdown can be read.`;
    throw refuse('UNSUPPORTED_FORMAT', message);
  }
  const text = (await readers[found.format](bytes, fileName)).replaceAll('\0', '').replaceAll(/\r\n?/g, '\n').trim();
  if (text.length > MOST_CHARACTERS)
    throw refuse('TOO_MUCH_TEXT', `${quote(fileName)} holds more than ${MOST_CHARACTERS} characters of text.`);
  if (text === '')
    throw refuse('NO_TEXT', `${quote(fileName)} holds no text. Scanned pages must go through text recognition first.`);
  return { contentType: formats[found.format], text };
}

const readers: Record<Format, (bytes: Uint8Array, fileName: string) => Promise<string>> = {
  pdf: async (bytes, fileName) => (await import('./pdf.ts')).readPdf(bytes, fileName, MOST_CHARACTERS),
  docx: async (bytes, fileName) => (await import('./docx.ts')).readDocx(bytes, fileName),
  txt: readText,
  md: readText,
};

async function readText(bytes: Uint8Array): Promise<string> {
  return decodeText(Buffer.from(bytes)) ?? '';
}
