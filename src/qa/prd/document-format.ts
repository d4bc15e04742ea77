export const documentFormats = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown',
  txt: 'text/plain',
} as const;
export type DocumentFormat = keyof typeof documentFormats;

/** Formats that are uploaded by mistake, by their first bytes. */
const foreignFormats: [string, string][] = [
  ['\x89PNG\r\n', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['GIF8', 'a GIF picture'],
  ['RIFF', 'a WebP picture or a recording'],
  ['\xd0\xcf\x11\xe0', 'an old Office file, or one with a password'],
  ['{\\rtf', 'an RTF file'],
  ['\x1f\x8b', 'a gzip file'],
  ['\x7fELF', 'a program'],
  ['Rar!', 'a RAR archive'],
  ['7z\xbc\xaf', 'a 7z archive'],
  ['<?xml', 'XML'],
  ['<!doctype html', 'a web page'],
  ['<html', 'a web page'],
];

/** Detects the format by content: a supported one, or the name of another. */
export function detectFormat(
  bytes: Uint8Array,
  fileName: string,
  contentType: string,
): { format: DocumentFormat } | { unreadable: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = buffer.subarray(0, 1024).toString('latin1');
  if (head.includes('%PDF-')) return { format: 'pdf' };
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06'))
    // Word for the web writes word/document2.xml.
    return /word\/document\d*\.xml/.test(buffer.toString('latin1'))
      ? { format: 'docx' }
      : { unreadable: 'a zip archive that is no Word document' };
  const known = foreignFormats.find(([beginning]) => head.toLowerCase().startsWith(beginning.toLowerCase()));
  if (known) return { unreadable: known[1] };
  const text = decodeText(buffer);
  if (text === undefined) return { unreadable: 'binary data' };
  const isMarkdown = /\.(md|markdown)$/i.test(fileName) || /markdown/i.test(contentType) || /^#{1,6} \S/m.test(text);
  return { format: isMarkdown ? 'md' : 'txt' };
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or Windows-1252; undefined for binary data. */
export function decodeText(bytes: Buffer): string | undefined {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  const text = tryDecode(bytes, encoding) ?? (encoding === 'utf-8' ? decodeWindows1252(bytes) : undefined);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters distinguish data from text
  return text === undefined || /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
}

function tryDecode(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Text has few bytes above 0x7f and no undefined ones; binary data has many. */
function decodeWindows1252(bytes: Buffer): string | undefined {
  const strange = bytes.reduce((count, byte) => count + Number(byte > 0x7f), 0);
  const text = strange < bytes.length / 5 ? tryDecode(bytes, 'windows-1252') : undefined;
  return text === undefined || /[\x7f-\x9f]/.test(text) ? undefined : text;
}
