import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { listPrdFiles } from '../prd/prd-files.ts';
import { mapPage, pageArguments, pageOf } from '../store/page.ts';
import { prdFileShape, presentPrdFile } from './prd-shapes.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';

export const qaPrdFileListByProject = defineTool({
  name: 'qa_prd_file_list_by_project',
  title: 'List requirements documents',
  description: 'The requirements documents (PRD files) of a project, with how many requirements each holds.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId, ...pageArguments }),
  output: z.object(pageOf(z.object(prdFileShape))),
  async run({ projectId: id, ...request }, context) {
    return mapPage(await listPrdFiles(await qaRoom(context), id, request), presentPrdFile);
  },
});
