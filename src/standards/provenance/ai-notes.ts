import type { ProjectRepository } from '../git/repository.ts';

/** Lists the commits with an authorship note in `refs/notes/ai`, where AI tools write it. */
export async function listCommitsWithAiNotes(repository: ProjectRepository): Promise<Set<string>> {
  const { code, stdout } = await repository.git('notes', ['--ref=refs/notes/ai', 'list']);
  if (code !== 0) return new Set();
  const lines = stdout.toString('utf8').split('\n');
  return new Set(lines.flatMap((line) => line.split(' ')[1] ?? []));
}
