import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { MOST_REQUIREMENTS } from '../../prd/find-requirements.ts';
import { uploadPrdFile } from '../../prd/prd-files.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { prdFileShape, presentPrdFile } from './prd-shapes.ts';

function uploaded(requirements: number): string {
  const done = 'PRD file uploaded successfully.';
  if (requirements === 0) return `${done} No requirement was recognised in it, so it steers no scan.`;
  return requirements < MOST_REQUIREMENTS ? done : `${done} Only its first ${MOST_REQUIREMENTS} requirements are kept.`;
}

export const qaPrdFileUpload = defineTool({
  name: 'qa_prd_file_upload',
  title: 'Upload a requirements document',
  description:
    'Upload, load, attach, import or add a product requirements document (PRD, specification, user stories) to test against: PDF, Word, text or Markdown file, at most 10 MB.',
  effect: 'write',
  scope: 'qa:write',
  input: z.object({
    projectId,
    fileName: z.string().min(1).max(255).describe('File name, e.g. requirements.pdf'),
    contentBase64: z.string().min(1).describe('Content of the file, base64-encoded'),
    contentType: z
      .string()
      .max(255)
      .default('application/octet-stream')
      .describe('MIME type of the file; the content decides when they differ'),
  }),
  output: z.object({ message: z.string(), ...prdFileShape }),
  async run({ projectId: id, ...upload }, context) {
    const known = await uploadPrdFile(await openQaContext(context), id, upload);
    return { message: uploaded(known.requirementCount), ...presentPrdFile(known) };
  },
});
