import { basename } from 'node:path';
import { readProjectFileIfExists } from '../spec/project-file.ts';
import { defaultSpecFile } from '../spec/working-spec.ts';
import { codemods } from './codemods.ts';
import { commonFiles, requiredFiles } from './common-files.ts';
import { detectProject } from './detect-project.ts';
import { listPublishingFiles } from './publishing-workflows.ts';
import { explainTier, renderSpecFromProject } from './spec-text.ts';
import { templates } from './templates/project-templates.ts';
import { type WrittenFiles, writeProjectFiles } from './write-project-files.ts';

export interface ScaffoldOptions {
  minimal: boolean;
  withCodemods: boolean;
  withOIDC: boolean;
  force: boolean;
}

/** Adds missing files to a project. An existing spec is never replaced. */
export async function scaffoldProject(
  root: string,
  options: ScaffoldOptions,
): Promise<WrittenFiles & { notes: string[] }> {
  const project = await detectProject(root);
  const publishing = options.withOIDC ? listPublishingFiles(project) : { files: [], notes: [] };
  const added = [
    ...(options.minimal ? [] : commonFiles(project)),
    ...(options.withCodemods ? codemods : []),
    ...publishing.files,
  ];
  const own = await readProjectFileIfExists(root, defaultSpecFile, { what: 'the working spec' });
  const spec =
    own?.text ?? renderSpecFromProject(project.name ?? basename(root), templates[project.kind], project, added);
  const notes = [...(own ? [] : explainTier(templates[project.kind], project)), ...publishing.notes];
  return { ...(await writeProjectFiles(root, [...requiredFiles(spec, project), ...added], options.force)), notes };
}
