import { createRepository } from '../../platform/git/create-repository.ts';
import { findRepository } from '../git/repository.ts';
import { defaultSpecFile, loadWorkingSpec } from '../spec/working-spec.ts';
import { commonFiles, essentials } from './common-files.ts';
import { placeFor } from './place.ts';
import { type ProjectFacts, projectFacts } from './project-facts.ts';
import { specFromProject, specFromTemplate, tierNotes } from './spec-text.ts';
import { templates } from './templates/all.ts';
import type { TemplateName } from './templates/template.ts';
import { type NewFile, type Written, writeFiles } from './write-files.ts';

export interface InitWishes {
  folder: string;
  projectName: string;
  template: TemplateName | undefined;
  signal: AbortSignal;
}

export interface Initialised extends Written {
  projectName: string;
  template: TemplateName;
  notes: string[];
}

/** Begins a project, or gives one that is there its spec and policy. What is there already stays as it is. */
export async function initProject({ folder, projectName, template, signal }: InitWishes): Promise<Initialised> {
  await using place = await placeFor(folder, projectName);
  const { root, name } = place;
  const facts = await projectFacts(root);
  const kind = template ?? facts.kind;
  const notes = template ? [] : [`template ${kind}: ${facts.because}`];
  const written = await writeFiles(root, filesFor(name, kind, template !== undefined, facts));
  place.keep();
  if (!template && facts.exists && written.created.includes(defaultSpecFile))
    notes.push(...tierNotes(templates[kind], facts));
  notes.push(...(await underGit(root, place.isNew, signal)), ...(await leftInvalid(root)));
  return { ...written, projectName: name, template: kind, notes };
}

function filesFor(name: string, kind: TemplateName, chosen: boolean, facts: ProjectFacts): NewFile[] {
  const template = templates[kind];
  const follows = chosen || !facts.exists;
  const called = facts.name ?? name;
  const spec = follows
    ? specFromTemplate(called, template)
    : specFromProject(called, template, facts, commonFiles(facts));
  const own = { ...(follows && template.contracts), ...(!facts.exists && template.starter(name)) };
  return [
    ...essentials(spec, facts),
    ...commonFiles(facts),
    ...Object.entries(own).map(([path, content]) => ({
      path,
      content,
      ...(path.startsWith('bin/') && { mode: 0o755 }),
    })),
  ];
}

/** A new folder becomes a repository, unless it lies in one; an old one is not made into one behind its owner's back. */
async function underGit(root: string, isNew: boolean, signal: AbortSignal): Promise<string[]> {
  if (await findRepository(root, { signal })) return [];
  if (!isNew) return ['not a git repository: run "git init", since changes are measured in git'];
  return (await createRepository(root, signal))
    ? ['a new git repository, without a commit yet']
    : ['git could not make a repository here'];
}

/** A spec that was there before is not ours to mend, but ours to tell of. */
async function leftInvalid(root: string): Promise<string[]> {
  const { spec, problems } = await loadWorkingSpec(root);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return spec ? [] : [`the working spec that was there has ${errors} errors: caws_validate names them`];
}
