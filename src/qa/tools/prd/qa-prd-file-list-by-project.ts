import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { listPrdFiles } from '../../prd/prd-files.ts';
import { mapPage, pageArguments, pageShape } from '../../store/result-page.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { prdFileShape, presentPrdFile } from './prd-shapes.ts';

export const qaPrdFileListByProject = defineTool({
  name: 'qa_prd_file_list_by_project',
  title: 'List requirements documents',
  description:
    'List the uploaded requirements documents (PRD files, specification docs) of a project, with the number of requirements in each.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId, ...pageArguments }),
  output: z.object(pageShape(z.object(prdFileShape))),
  async run({ projectId: id, ...request }, context) {
    return mapPage(await listPrdFiles(await openQaContext(context), id, request), presentPrdFile);
  },
});
