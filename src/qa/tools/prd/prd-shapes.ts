import * as z from 'zod';
import { untrustedName } from '../../../platform/text/untrusted-schema.ts';
import type { PrdFileWithCount } from '../../prd/prd-files.ts';
import { isoTime } from '../shared/run-shapes.ts';

export const prdFileShape = {
  prdFileId: z.string(),
  id: z.string(),
  projectId: z.string(),
  fileName: untrustedName(z.string()),
  contentType: z.string().describe('MIME type of the file, detected from its content'),
  fileSize: z.number(),
  contentChecksum: z.string().describe('SHA-256 of the file, as hexadecimal digits'),
  requirementCount: z.number().describe('Number of requirements found in the document'),
  createdAt: z.string(),
};

export function presentPrdFile({ file, requirementCount }: PrdFileWithCount) {
  const { id, projectId, fileName, contentType, fileSize, sha256, createdAt } = file;
  return {
    prdFileId: id,
    id,
    ...{ projectId, fileName, contentType, fileSize, requirementCount },
    contentChecksum: sha256,
    createdAt: isoTime(createdAt),
  };
}
