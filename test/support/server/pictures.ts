import type { Connection } from '../assay.ts';

/** Whether bytes are a JPEG of a page, as small as replies promise. */
export function isSmallJpeg(picture: Buffer): boolean {
  const { width, height } = jpegSize(picture);
  return width > 0 && width <= 800 && height > 0 && picture.length > 1000 && picture.length <= 110_000;
}

/** The size in pixels; zero for anything but a JPEG. */
function jpegSize(picture: Buffer): { width: number; height: number } {
  if (picture.readUInt16BE(0) !== 0xffd8) return { width: 0, height: 0 };
  for (let at = 2; at + 9 < picture.length; at += 2 + picture.readUInt16BE(at + 2)) {
    const marker = picture.readUInt16BE(at);
    // Baseline and progressive frames; 0xffc4, 0xffc8 and 0xffcc are tables.
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker))
      return { width: picture.readUInt16BE(at + 7), height: picture.readUInt16BE(at + 5) };
  }
  return { width: 0, height: 0 };
}

/** Reads a picture that a result names, as a client does. */
export async function readPicture(client: Pick<Connection, 'readResource'>, uri: string): Promise<Buffer> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  if (!content || !('blob' in content) || content.mimeType !== 'image/jpeg') throw new Error(`${uri} is no picture`);
  return Buffer.from(content.blob, 'base64');
}

/** Bytes in a text: `data:` URIs, and runs of base64 that are longer than any id, hash or signature. */
const EMBEDDED = /data:[\w/+.-]+;base64,|[A-Za-z0-9+/_-]{300,}/g;

/** The bytes that the structured content and the text blocks of a result contain. */
export function embeddedBytes(result: { structuredContent?: unknown; content?: unknown }): string[] {
  const blocks: { type: string }[] = Array.isArray(result.content) ? result.content : [];
  const texts = blocks.filter(({ type }) => type === 'text' || type === 'resource_link');
  const runs = JSON.stringify([result.structuredContent ?? null, texts]).match(EMBEDDED) ?? [];
  return runs.map((run) => run.slice(0, 60));
}
