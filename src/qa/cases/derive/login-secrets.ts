import { projectSite } from '../../scan/project-site.ts';
import { chooseCredentials } from '../../scan/sign-in/login-forms.ts';
import { isSameSite } from '../../scan/start-url.ts';
import type { QaRepositories } from '../../store/qa-store.ts';
import type { CasePlan, LoginSecrets, UseCaseInput } from '../case-plan.ts';

type Evidence = UseCaseInput['evidence'];

/**
 * The secrets that open a login: those that the scan signed in with, or else those that it would have. They may be newer
 * than the scan or have been wrong then, and something may have lain over its form. They are for the project's own site.
 */
export async function loginSecretsFor(
  { secrets, projects, runtimes }: Pick<QaRepositories, 'secrets' | 'projects' | 'runtimes'>,
  projectId: string,
  { class: of, signIn, entryUrl, form }: Evidence,
): Promise<LoginSecrets | undefined> {
  if (of !== 'login' || form?.leaves) return undefined;
  if (signIn) return { username: signIn.usernameSecret, password: signIn.passwordSecret };
  const project = await projects.get(projectId);
  const site = project && (await projectSite({ runtimes }, project));
  const entry = URL.parse(entryUrl);
  if (!site || !entry || !isSameSite(site, entry)) return undefined;
  return chooseCredentials(await secrets.list({ projectId }));
}

/** Whether a login plan lacks its password secret: with an invented password its outcome says nothing. */
export function lacksLoginSecrets({ kind, secrets }: CasePlan, { class: of, form }: Evidence): boolean {
  const password = of === 'login' ? form?.fields.find((field) => field.kind === 'password') : undefined;
  return password !== undefined && !(password.key in secrets) && ['happy', 'pairs', 'state'].includes(kind);
}
