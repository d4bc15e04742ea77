import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { deletePrdFile } from '../../prd/prd-files.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';

export const qaPrdFileDelete = defineTool({
  name: 'qa_prd_file_delete',
  title: 'Delete a requirements document',
  description:
    'Delete, remove or get rid of a requirements document (PRD file), e.g. an old, outdated or wrong one, with its requirements.',
  effect: 'destroy',
  scope: 'qa:write',
  input: z.object({
    projectId,
    prdFileId: z.string().min(1).max(100).describe('Id of the document, from qa_prd_file_list_by_project'),
  }),
  output: z.object({ prdFileId: z.string(), projectId: z.string(), deleted: z.literal(true) }),
  async run({ projectId: id, prdFileId }, context) {
    await deletePrdFile(await openQaContext(context), id, prdFileId);
    return { prdFileId, projectId: id, deleted: true as const };
  },
});
