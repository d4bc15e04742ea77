/** The scopes of a caller. The local user has all. */
export type Scopes = 'all' | ReadonlySet<string>;

/** These scopes include the read scope of their toolset: `federalrunner:execute` includes `federalrunner:read`. */
const acting = ['write', 'scan', 'execute'];

export function hasScope(scopes: Scopes, needed: string): boolean {
  if (scopes === 'all' || scopes.has(needed)) return true;
  const [subject, step] = needed.split(':');
  return step === 'read' && acting.some((act) => scopes.has(`${subject}:${act}`));
}
