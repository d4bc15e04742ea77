/** What a commit message says, without what git itself cuts away. */
function parseMessage(text: string): { subject: string; body: string } {
  const [before = ''] = text.split(/^# -+ >8 -+$/m);
  const all = before.split('\n');
  const contentLines = all.filter((line) => !line.startsWith('#'));
  // A message given on the command line may begin with a number sign, and git leaves it there.
  const lines = contentLines.some((line) => line.trim() !== '') ? contentLines : all;
  const start = lines.findIndex((line) => line.trim() !== '');
  return { subject: lines[start]?.trim() ?? '', body: start === -1 ? '' : lines.slice(start + 1).join('\n') };
}

/** Git writes these, and they speak of other commits. */
const generatedSubject = /^(Merge |Revert "|fixup! |squash! |amend! )/;

/**
 * What is wrong with a message under a spec: no subject, or the id of another spec in the subject or in a `Spec:` trailer.
 * Only ids that begin as the spec's own does are taken for ids: UTF-8 is none.
 */
export function findMessageProblems(text: string, specId: string): string[] {
  const { subject, body } = parseMessage(text);
  if (subject === '') return ['the message has no subject'];
  if (generatedSubject.test(subject)) return [];
  const prefix = specId.slice(0, specId.lastIndexOf('-') + 1);
  const family = new RegExp(`(?<![A-Za-z0-9-])${prefix}\\d+(?![A-Za-z0-9-])`, 'g');
  const otherSpecIds = (subject.match(family) ?? []).filter((id) => id !== specId);
  const trailers = [...body.matchAll(/^Spec:[ \t]*(\S+)/gim)].flatMap(([, id = '']) => (id === specId ? [] : [id]));
  return [
    ...otherSpecIds.map((id) => `the subject names ${id}, and the work is done under ${specId}`),
    ...trailers.map(
      (id) => `the trailer Spec names ${JSON.stringify(id.slice(0, 60))}, and the work is done under ${specId}`,
    ),
  ];
}
