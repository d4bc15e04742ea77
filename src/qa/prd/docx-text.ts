import { type Unzipped, unzipSync, zipSync } from 'fflate';
import mammoth from 'mammoth';
import { Failure, quote } from '../../platform/errors.ts';
import { damagedDocument, documentError } from './document-errors.ts';

const MOST_UNPACKED = 50 * 1024 * 1024;
const MOST_PARTS = 2000;

/** The text of a Word document: headings as `#`, list items as `-`, table rows with `|`. */
export async function readDocxText(bytes: Uint8Array, fileName: string): Promise<string> {
  // Mammoth gets the checked parts, because the file may lie about their sizes.
  const checked = zipSync(unpackParts(bytes, fileName), { level: 0 });
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(checked) },
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
    );
    return htmlToText(value);
  } catch (error) {
    throw damagedDocument(fileName, 'Word document', error);
  }
}

/** Unpacks the XML parts within limits and rejects entity declarations before a parser sees them. */
function unpackParts(bytes: Uint8Array, fileName: string): Unzipped {
  let parts = 0;
  let unpacked = 0;
  try {
    const files = unzipSync(bytes, {
      filter({ name, originalSize }) {
        parts++;
        unpacked += originalSize;
        if (parts > MOST_PARTS || unpacked > MOST_UNPACKED)
          throw documentError('BOMB', `${quote(fileName)} unpacks to far more than a document holds, and is not read.`);
        return /\.(xml|rels)$/.test(name);
      },
    });
    for (const part of Object.values(files))
      if (/<!(DOCTYPE|ENTITY)/i.test(Buffer.from(part).toString('latin1')))
        throw documentError(
          'EXTERNAL_ENTITY',
          `${quote(fileName)} declares XML entities, which no Word document does.`,
        );
    return files;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw damagedDocument(fileName, 'Word document', error);
  }
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Mammoth writes simple, well-formed HTML with these tags only. */
function htmlToText(html: string): string {
  return html
    .replaceAll(/<h([1-6])[^>]*>/g, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replaceAll(/<li[^>]*>/g, '\n- ')
    .replaceAll(/<(td|th)[^>]*><p>/g, '')
    .replaceAll(/<\/(td|th)>/g, ' | ')
    .replaceAll(/<(p|tr|table)[^>]*>(?!<\/)/g, (tag) => (tag.startsWith('<p') ? '\n\n' : '\n'))
    .replaceAll(/<br[^>]*>/g, '\n')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\n{3,}/g, '\n\n');
}
