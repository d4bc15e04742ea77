/** What a caller may do. The user of this machine may do everything. */
export type Scopes = 'all' | ReadonlySet<string>;

/** Whoever may act in a toolset may also look at it: `federalrunner:execute` implies `federalrunner:read`. */
const acting = ['write', 'scan', 'execute'];

export function hasScope(scopes: Scopes, needed: string): boolean {
  if (scopes === 'all' || scopes.has(needed)) return true;
  const [subject, step] = needed.split(':');
  return step === 'read' && acting.some((act) => scopes.has(`${subject}:${act}`));
}
