import { quote } from '../../platform/errors.ts';
import { invalidArgument, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { everyString } from '../secrets/places.ts';
import { openProjectSecrets } from '../secrets/project-secrets.ts';
import type { QaProject } from '../store/qa-store.ts';
import type { RowChanges } from '../store/repository.ts';
import type { PageRequest, ResultPage } from '../store/result-page.ts';
import { moveSite } from './move-site.ts';

interface ProjectFacts {
  projectName: string;
  description?: string | undefined;
  url?: string | undefined;
  testRequirements?: string | undefined;
}

export async function createProject(room: QaContext, facts: ProjectFacts): Promise<QaProject> {
  return room.store.projects.insert({ owner: room.owner, name: '', ...columns(facts) });
}

/** Only what is given changes; an empty text takes away. */
export async function updateProject(
  room: QaContext,
  projectId: string,
  changes: RowChanges<ProjectFacts>,
): Promise<QaProject> {
  const project = await requireProject(room, projectId);
  const given = Object.values(changes).filter((value) => value !== undefined);
  if (given.length === 0)
    throw invalidArgument('projectName', 'Nothing to change: give projectName, description, url or testRequirements.');
  const { redactor, isKey } = await openProjectSecrets(room.store, room.vault, projectId);
  if (changes.url !== undefined && isKey(changes.url)) throw secretInAddress('url');
  const written = everyString(columns(changes), redactor.text);
  return room.store.transaction(async (tables) => {
    const { url } = urlOf(changes);
    if (project.url && url) await moveSite(tables, projectId, project.url, url);
    return (await tables.projects.update(projectId, { ...written, ...urlOf(changes) })) ?? project;
  });
}

/** A name of a user may stand in an address: everybody sees it there. */
export function secretInAddress(field: string) {
  return invalidArgument(field, `${field} holds the value of a secret. Addresses are shown: leave it out.`);
}

export function listProjects({ store, owner }: QaContext, request: PageRequest): Promise<ResultPage<QaProject>> {
  return store.projects.page({ owner }, request);
}

/** A project, and how much there is of everything in it. */
export async function describeProject(room: QaContext, projectId: string) {
  const project = await requireProject(room, projectId);
  const { prdFiles, secrets, candidates, useCases, testCases, testScripts } = room.store;
  const counts = { prdFiles, secrets, candidates, useCases, testCases, testScripts };
  const numbers = await Promise.all(
    Object.entries(counts).map(async ([name, shelf]) => [name, await shelf.count({ projectId })] as const),
  );
  return { project, counts: Object.fromEntries(numbers) };
}

function columns({ projectName, description, url, testRequirements }: RowChanges<ProjectFacts>) {
  return {
    ...(projectName !== undefined && { name: checkName(projectName) }),
    ...(description !== undefined && { description: description.trim() || null }),
    ...urlOf({ url }),
    ...(testRequirements !== undefined && { testRequirements: testRequirements.trim() || null }),
  };
}

function urlOf({ url }: Pick<RowChanges<ProjectFacts>, 'url'>): { url?: string | null } {
  return url === undefined ? {} : { url: url.trim() ? checkSite('url', url.trim()) : null };
}

function checkName(projectName: string): string {
  const name = projectName.trim();
  if (name === '') throw invalidArgument('projectName', 'projectName must not be blank.');
  if (/\p{Cc}/u.test(name))
    throw invalidArgument('projectName', 'projectName must be one line, without control characters.');
  return name;
}

/** An address that a browser can be sent to. Passwords belong to the secrets. */
export function checkSite(field: string, address: string): string {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalidArgument(field, `${field} must be an http or https address, got ${quote(address)}.`);
  if (url.username || url.password)
    throw invalidArgument(field, `${field} must hold no user name or password: qa_secret_create keeps those.`);
  return address;
}
