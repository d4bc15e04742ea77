import { quote } from '../../platform/errors.ts';
import { invalidArgument, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { openProjectSecrets } from '../secrets/project-secrets.ts';
import { mapStrings } from '../secrets/secret-placeholders.ts';
import type { QaProject } from '../store/qa-store.ts';
import type { RowChanges } from '../store/repository.ts';
import type { PageRequest, ResultPage } from '../store/result-page.ts';
import { moveSiteUrls } from './move-site-urls.ts';

interface ProjectInput {
  projectName: string;
  description?: string | undefined;
  url?: string | undefined;
  testRequirements?: string | undefined;
}

export async function createProject(qa: QaContext, facts: ProjectInput): Promise<QaProject> {
  return qa.store.projects.insert({ owner: qa.owner, name: '', ...projectColumns(facts) });
}

/** Updates the given fields; an empty text clears a field. */
export async function updateProject(
  qa: QaContext,
  projectId: string,
  changes: RowChanges<ProjectInput>,
): Promise<QaProject> {
  const project = await requireProject(qa, projectId);
  const given = Object.values(changes).filter((value) => value !== undefined);
  if (given.length === 0)
    throw invalidArgument('projectName', 'Nothing to change: give projectName, description, url or testRequirements.');
  const { redactor, holdsCredential } = await openProjectSecrets(qa.store, qa.vault, projectId);
  if (changes.url !== undefined && holdsCredential(changes.url)) throw secretInUrl('url');
  const written = mapStrings(projectColumns(changes), redactor.text);
  return qa.store.transaction(async (tables) => {
    const { url } = urlColumn(changes);
    if (project.url && url) await moveSiteUrls(tables, projectId, project.url, url);
    return (await tables.projects.update(projectId, { ...written, ...urlColumn(changes) })) ?? project;
  });
}

/** Error for a URL that contains a credential. User names are allowed in URLs. */
export function secretInUrl(field: string) {
  return invalidArgument(field, `${field} contains the value of a secret. URLs are shown to users: remove the value.`);
}

export function listProjects({ store, owner }: QaContext, request: PageRequest): Promise<ResultPage<QaProject>> {
  return store.projects.page({ owner }, request);
}

/** A project with the counts of its content. */
export async function describeProject(qa: QaContext, projectId: string) {
  const project = await requireProject(qa, projectId);
  const { prdFiles, secrets, candidates, useCases, testCases, testScripts } = qa.store;
  const counts = { prdFiles, secrets, candidates, useCases, testCases, testScripts };
  const numbers = await Promise.all(
    Object.entries(counts).map(async ([name, repository]) => [name, await repository.count({ projectId })] as const),
  );
  return { project, counts: Object.fromEntries(numbers) };
}

function projectColumns({ projectName, description, url, testRequirements }: RowChanges<ProjectInput>) {
  return {
    ...(projectName !== undefined && { name: checkName(projectName) }),
    ...(description !== undefined && { description: description.trim() || null }),
    ...urlColumn({ url }),
    ...(testRequirements !== undefined && { testRequirements: testRequirements.trim() || null }),
  };
}

function urlColumn({ url }: Pick<RowChanges<ProjectInput>, 'url'>): { url?: string | null } {
  return url === undefined ? {} : { url: url.trim() ? checkSiteUrl('url', url.trim()) : null };
}

function checkName(projectName: string): string {
  const name = projectName.trim();
  if (name === '') throw invalidArgument('projectName', 'projectName must not be blank.');
  if (/\p{Cc}/u.test(name))
    throw invalidArgument('projectName', 'projectName must be one line, without control characters.');
  return name;
}

/** Checks that a URL is http or https and holds no credentials. */
export function checkSiteUrl(field: string, address: string): string {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalidArgument(field, `${field} must be an http or https address, got ${quote(address)}.`);
  if (url.username || url.password)
    throw invalidArgument(
      field,
      `${field} must not contain a user name or password: store them with qa_secret_create.`,
    );
  return address;
}
