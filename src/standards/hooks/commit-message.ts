/** Reads a commit message as git stores it: without comments, and without the diff below the scissors line. */
export function parseMessage(text: string): { subject: string; body: string } {
  const [message = ''] = text.split(/^# -+ >8 -+$/m);
  const all = message.split('\n');
  const withoutComments = all.filter((line) => !line.startsWith('#'));
  // A message given on the command line may start with a number sign, and git keeps it.
  const lines = withoutComments.some((line) => line.trim() !== '') ? withoutComments : all;
  const start = lines.findIndex((line) => line.trim() !== '');
  return { subject: lines[start]?.trim() ?? '', body: start === -1 ? '' : lines.slice(start + 1).join('\n') };
}

/** Whether git wrote the subject: such messages are about other commits, and their authors do not choose the form. */
export function isGeneratedSubject(subject: string): boolean {
  return /^(Merge |Revert "|Reapply "|fixup! |squash! |amend! )/.test(subject);
}

/**
 * Lists what is wrong with a message under a spec: no subject, or the id of another spec in the subject or in a `Spec:`
 * trailer. Only ids with the prefix of the spec's own id count as ids, because UTF-8 looks like one.
 */
export function findMessageProblems(text: string, specId: string): string[] {
  const { subject, body } = parseMessage(text);
  if (subject === '') return ['the message has no subject'];
  if (isGeneratedSubject(subject)) return [];
  const prefix = specId.slice(0, specId.lastIndexOf('-') + 1);
  const family = new RegExp(`(?<![A-Za-z0-9-])${prefix}\\d+[a-z]*(?![A-Za-z0-9-])`, 'g');
  const otherSpecIds = (subject.match(family) ?? []).filter((id) => id !== specId);
  const trailers = [...body.matchAll(/^Spec:[ \t]*(\S+)/gim)].flatMap(([, id = '']) => (id === specId ? [] : [id]));
  return [
    ...otherSpecIds.map((id) => `the subject names ${id}, but the working spec is ${specId}`),
    ...trailers.map(
      (id) => `the trailer Spec names ${JSON.stringify(id.slice(0, 60))}, but the working spec is ${specId}`,
    ),
  ];
}
