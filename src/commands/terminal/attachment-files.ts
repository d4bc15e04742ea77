import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemReason } from '../../platform/errors.ts';
import type { Attachment } from '../../tool/tool.ts';

/** The pictures of a result as files, because a shell shows neither base64 nor resources. */
export interface AttachmentFiles {
  /** Formats data as JSON, with the paths of pictures instead of their references. */
  json(data: unknown): string;
  /** One line per attachment. */
  lines: string[];
}

/** Writes pictures that are not files yet to a new folder that only this user can read. */
export async function saveAttachments(tool: string, attachments: readonly Attachment[]): Promise<AttachmentFiles> {
  const hasNew = attachments.some((attachment) => attachment.type === 'picture' && !attachment.path);
  const folder = hasNew ? await newFolder() : '';
  const paths = new Map<string, string>();
  const lines: string[] = [];
  for (const attachment of attachments) {
    if (attachment.type === 'link') {
      lines.push(`${attachment.name}: ${attachment.uri}`);
      continue;
    }
    const { name, data, mimeType, reference } = attachment;
    const path = attachment.path ?? (await written(folder, `${tool}-${paths.size + 1}.jpg`, data));
    paths.set(reference, path);
    lines.push(`${name} (${mimeType}, ${data.length} bytes): ${path}`);
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
