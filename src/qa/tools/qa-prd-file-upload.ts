import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { uploadPrdFile } from '../prd/prd-files.ts';
import { MOST_REQUIREMENTS } from '../prd/requirements.ts';
import { prdFileShape, presentPrdFile } from './prd-shapes.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';

function uploaded(requirements: number): string {
  const done = 'PRD file uploaded successfully.';
  if (requirements === 0) return `${done} No requirement was recognised in it, so it steers no scan.`;
  return requirements < MOST_REQUIREMENTS ? done : `${done} Only its first ${MOST_REQUIREMENTS} requirements are kept.`;
}

export const qaPrdFileUpload = defineTool({
  name: 'qa_prd_file_upload',
  title: 'Upload a requirements document',
  description:
    'Upload a requirements document (PRD: PDF, Word, text, Markdown; at most 10 MB) that steers what scans look for. Its content decides what it is.',
  effect: 'write',
  scope: 'qa:write',
  input: z.object({
    projectId,
    fileName: z.string().min(1).max(255).describe('e.g. requirements.pdf'),
    contentBase64: z.string().min(1).describe('The file, base64'),
    contentType: z.string().max(255).default('application/octet-stream').describe('MIME type'),
  }),
  output: z.object({ message: z.string(), ...prdFileShape }),
  async run({ projectId: id, ...upload }, context) {
    const known = await uploadPrdFile(await qaRoom(context), id, upload);
    return { message: uploaded(known.requirementCount), ...presentPrdFile(known) };
  },
});
