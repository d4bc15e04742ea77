import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemReason } from '../../platform/errors.ts';
import type { Attachment } from '../../tool/tool.ts';

/** The images of a result as files, because a shell cannot show base64. */
export interface AttachmentFiles {
  /** Formats the result as JSON, with file paths instead of base64 images. */
  json(data: Record<string, unknown>): string;
  /** One line per attachment. */
  lines: string[];
}

const endings: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

/** Writes attached images to a new folder that only this user can read. */
export async function saveAttachments(tool: string, attachments: readonly Attachment[]): Promise<AttachmentFiles> {
  const folder = attachments.some(({ type }) => type === 'image') ? await newFolder() : '';
  const paths = new Map<string, string>();
  const lines: string[] = [];
  for (const attachment of attachments) {
    if (attachment.type === 'link') {
      lines.push(`${attachment.name}: ${attachment.uri}`);
      continue;
    }
    const { data, mimeType } = attachment;
    const base64 = Buffer.from(data).toString('base64');
    const name = `${tool}-${paths.size + 1}.${endings[mimeType] ?? 'bin'}`;
    const path = paths.get(base64) ?? (await written(folder, name, data));
    paths.set(base64, path);
    lines.push(`picture (${mimeType}, ${data.length} bytes): ${path}`);
  }
  return {
    json: (data) =>
      JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? (paths.get(value) ?? value) : value), 2),
    lines,
  };
}

async function newFolder(): Promise<string> {
  // The result is printed even when no folder can be created.
  return await mkdtemp(join(tmpdir(), 'assay-pictures-')).catch(() => tmpdir());
}

async function written(folder: string, name: string, data: Uint8Array): Promise<string> {
  const path = join(folder, name);
  try {
    await writeFile(path, data, { mode: 0o600, flag: 'wx' });
    return path;
  } catch (error) {
    return `(cannot write ${path}: ${systemReason(error)})`;
  }
}
