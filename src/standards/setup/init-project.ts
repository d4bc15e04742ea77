import { createRepository } from '../../platform/git/create-repository.ts';
import { findRepository } from '../git/repository.ts';
import { defaultSpecFile, loadWorkingSpec } from '../spec/working-spec.ts';
import { commonFiles, requiredFiles } from './common-files.ts';
import { type DetectedProject, detectProject } from './detect-project.ts';
import { openProjectFolder } from './project-folder.ts';
import { explainTier, renderSpecFromProject, renderSpecFromTemplate } from './spec-text.ts';
import { templates } from './templates/project-templates.ts';
import type { TemplateName } from './templates/template.ts';
import { type NewFile, type WrittenFiles, writeProjectFiles } from './write-project-files.ts';

export interface InitOptions {
  folder: string;
  projectName: string;
  template: TemplateName | undefined;
  signal: AbortSignal;
}

export interface InitResult extends WrittenFiles {
  projectName: string;
  template: TemplateName;
  notes: string[];
}

/** Creates a project, or adds spec and policy to an existing one. Existing files are not changed. */
export async function initProject({ folder, projectName, template, signal }: InitOptions): Promise<InitResult> {
  await using projectFolder = await openProjectFolder(folder, projectName);
  const { root, name } = projectFolder;
  const project = await detectProject(root);
  const kind = template ?? project.kind;
  const notes = template ? [] : [`template ${kind}: ${project.kindReason}`];
  const written = await writeProjectFiles(root, listProjectFiles(name, kind, template !== undefined, project));
  projectFolder.keep();
  if (!template && project.exists && written.created.includes(defaultSpecFile))
    notes.push(...explainTier(templates[kind], project));
  notes.push(...(await ensureRepository(root, projectFolder.isNew, signal)), ...(await noteInvalidSpec(root)));
  return { ...written, projectName: name, template: kind, notes };
}

function listProjectFiles(
  name: string,
  kind: TemplateName,
  isTemplateChosen: boolean,
  project: DetectedProject,
): NewFile[] {
  const template = templates[kind];
  const followsTemplate = isTemplateChosen || !project.exists;
  const displayName = project.name ?? name;
  const spec = followsTemplate
    ? renderSpecFromTemplate(displayName, template)
    : renderSpecFromProject(displayName, template, project, commonFiles(project));
  const own = { ...(followsTemplate && template.contracts), ...(!project.exists && template.starter(name)) };
  return [
    ...requiredFiles(spec, project),
    ...commonFiles(project),
    ...Object.entries(own).map(([path, content]) => ({
      path,
      content,
      ...(path.startsWith('bin/') && { mode: 0o755 }),
    })),
  ];
}

/** Makes a new folder a repository, unless it is inside of one. An existing folder only gets a note. */
async function ensureRepository(root: string, isNew: boolean, signal: AbortSignal): Promise<string[]> {
  if (await findRepository(root, { signal })) return [];
  if (!isNew) return ['not a git repository: run "git init", because changes are measured in git'];
  return (await createRepository(root, signal))
    ? ['created a git repository without a commit']
    : ['git could not create a repository'];
}

/** An existing spec is never changed; if it is invalid, a note says so. */
async function noteInvalidSpec(root: string): Promise<string[]> {
  const { spec, problems } = await loadWorkingSpec(root);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return spec ? [] : [`the existing working spec has ${errors} errors: run caws_validate`];
}
