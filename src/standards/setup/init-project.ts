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

/** Begins a project, or gives one that is there its spec and policy. What is there already stays as it is. */
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

/** A new folder becomes a repository, unless it lies in one; an old one is not made into one behind its owner's back. */
async function ensureRepository(root: string, isNew: boolean, signal: AbortSignal): Promise<string[]> {
  if (await findRepository(root, { signal })) return [];
  if (!isNew) return ['not a git repository: run "git init", since changes are measured in git'];
  return (await createRepository(root, signal))
    ? ['a new git repository, without a commit yet']
    : ['git could not make a repository here'];
}

/** A spec that was there before is not ours to mend, but ours to tell of. */
async function noteInvalidSpec(root: string): Promise<string[]> {
  const { spec, problems } = await loadWorkingSpec(root);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return spec ? [] : [`the working spec that was there has ${errors} errors: caws_validate names them`];
}
