import { basename } from 'node:path';
import { readIfThere } from '../spec/project-file.ts';
import { defaultSpecFile } from '../spec/working-spec.ts';
import { codemods } from './codemods.ts';
import { commonFiles, essentials } from './common-files.ts';
import { projectFacts } from './project-facts.ts';
import { publishingFiles } from './publishing.ts';
import { specFromProject, tierNotes } from './spec-text.ts';
import { templates } from './templates/all.ts';
import { type Written, writeFiles } from './write-files.ts';

export interface ScaffoldWishes {
  minimal: boolean;
  withCodemods: boolean;
  withOIDC: boolean;
  force: boolean;
}

/** Adds to a project what it lacks. The spec is its owner's: it is made where there is none, and never replaced. */
export async function scaffold(root: string, wishes: ScaffoldWishes): Promise<Written & { notes: string[] }> {
  const facts = await projectFacts(root);
  const publishing = wishes.withOIDC ? publishingFiles(facts) : { files: [], notes: [] };
  const added = [
    ...(wishes.minimal ? [] : commonFiles(facts)),
    ...(wishes.withCodemods ? codemods : []),
    ...publishing.files,
  ];
  const own = await readIfThere(root, defaultSpecFile, { what: 'the working spec' });
  const spec = own?.text ?? specFromProject(facts.name ?? basename(root), templates[facts.kind], facts, added);
  const notes = [...(own ? [] : tierNotes(templates[facts.kind], facts)), ...publishing.notes];
  return { ...(await writeFiles(root, [...essentials(spec, facts), ...added], wishes.force)), notes };
}
