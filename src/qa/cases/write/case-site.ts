import { quote } from '../../../platform/errors.ts';
import { invalidArgument } from '../../owned-rows.ts';
import type { QaContext } from '../../qa-context.ts';
import { projectSite } from '../../scan/project-site.ts';
import { isSameSite } from '../../scan/start-url.ts';
import type { QaProject } from '../../store/qa-store.ts';

/** Rejects a URL on another site, because scripts may type the secrets of the project there. */
export async function checkCaseSite(
  { store }: Pick<QaContext, 'store'>,
  project: QaProject,
  url: string,
): Promise<void> {
  const site = await projectSite(store, project);
  if (!site || isSameSite(site, new URL(url))) return;
  const own = quote(site.origin, 200);
  throw invalidArgument(
    'url',
    `url is on ${quote(new URL(url).origin, 200)}, but the project and its secrets belong to ${own}. Use a URL of that site. Pass another deployment as baseUrl when scripts are generated or replayed, or create another project.`,
    { url: url.slice(0, 200) },
  );
}
