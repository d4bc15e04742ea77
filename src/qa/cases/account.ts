import { siteOf } from '../scan/project-site.ts';
import { credentialsAmong } from '../scan/sign-in.ts';
import { isSameSite } from '../scan/start-address.ts';
import type { QaRepositories } from '../store/qa-store.ts';
import type { Account, CasePlan, UseCaseFacts } from './model.ts';

type Evidence = UseCaseFacts['evidence'];

/**
 * The secrets that open a login: those that the scan signed in with, or else those that it would have. They may be newer
 * than the scan or have been wrong then, and something may have lain over its form. They are for the project's own site.
 */
export async function accountFor(
  { secrets, projects, runtimes }: Pick<QaRepositories, 'secrets' | 'projects' | 'runtimes'>,
  projectId: string,
  { class: of, signIn, entryUrl, form }: Evidence,
): Promise<Account | undefined> {
  if (of !== 'login' || form?.leaves) return undefined;
  if (signIn) return { username: signIn.usernameSecret, password: signIn.passwordSecret };
  const project = await projects.get(projectId);
  const site = project && (await siteOf({ runtimes }, project));
  const entry = URL.parse(entryUrl);
  if (!site || !entry || !isSameSite(site, entry)) return undefined;
  return credentialsAmong(await secrets.list({ projectId }));
}

/** Nobody is let in with an invented password: what comes of such a plan says nothing about the site. */
export function lacksAccount({ kind, secrets }: CasePlan, { class: of, form }: Evidence): boolean {
  const password = of === 'login' ? form?.fields.find((field) => field.kind === 'password') : undefined;
  return password !== undefined && !(password.key in secrets) && ['happy', 'pairs', 'state'].includes(kind);
}
