import { Failure, quote } from '../platform/errors.ts';
import type { QaContext } from './qa-context.ts';
import type { QaProject } from './store/qa-store.ts';

/** Reads rows by id. */
interface RowReader<Item> {
  get(id: string): Promise<Item | undefined>;
}

/** Returns a row of the caller. Throws NOT_FOUND or FORBIDDEN, naming the argument `field`. */
export async function requireOwned<Item extends { owner: string }>(
  { owner }: Pick<QaContext, 'owner'>,
  rows: RowReader<Item>,
  field: string,
  id: string,
): Promise<Item> {
  const item = await rows.get(id);
  const what = field.replace(/Ids?$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (!item) {
    const message = `There is no ${what} ${quote(id, 80)}.`;
    throw new Failure('not_found', 'NOT_FOUND', message, { field, [field]: id.slice(0, 80), hint: listHint(field) });
  }
  if (item.owner === owner) return item;
  const message = `The ${what} ${quote(id, 80)} belongs to another owner.`;
  throw new Failure('bad_input', 'FORBIDDEN', message, { field, [field]: id.slice(0, 80), hint: listHint(field) });
}

const LIST_RUNS =
  'qa_workflow_list_website_scan_runtimes, qa_workflow_list_test_case_detection_runtimes or qa_workflow_list_test_script_replay_bulk_runtimes';

/** The tool that lists the ids of an argument. */
const listTools: Record<string, string> = {
  projectId: 'qa_project_list',
  prdFileId: 'qa_prd_file_list_by_project',
  secretId: 'qa_secret_list',
  candidateId: 'qa_use_case_discovery_memory_get',
  useCaseId: 'qa_use_case_list',
  testCaseId: 'qa_test_case_list',
  testScriptId: 'qa_test_script_list',
  workflowRuntimeId: LIST_RUNS,
  workflowRunId: LIST_RUNS,
  runBatchId: 'qa_workflow_list_test_script_replay_bulk_runtimes',
  reportId: 'qa_report_final_generate',
};

function listHint(field: string): string {
  return `Call ${listTools[field.replace(/s$/, '')] ?? 'qa_project_list'} for the ids that exist.`;
}

export function requireProject(qa: Pick<QaContext, 'store' | 'owner'>, projectId: string): Promise<QaProject> {
  return requireOwned(qa, qa.store.projects, 'projectId', projectId);
}

/** Like `requireOwned`, for a row that must belong to the project. */
export async function requireOwnedInProject<Item extends { owner: string; projectId: string }>(
  qa: Pick<QaContext, 'owner'>,
  projectId: string,
  rows: RowReader<Item>,
  field: string,
  id: string,
): Promise<Item> {
  const item = await requireOwned(qa, rows, field, id);
  if (item.projectId === projectId) return item;
  const message = `${field} ${quote(id, 80)} does not belong to the project ${quote(projectId, 80)}.`;
  const hint = listHint(field);
  throw new Failure('not_found', 'NOT_FOUND', message, { field, [field]: id.slice(0, 80), projectId, hint });
}

export function invalidArgument(field: string, message: string, details: Record<string, unknown> = {}): Failure {
  return new Failure('bad_input', 'INVALID_ARGUMENT', message, { field, ...details });
}

/** Checks that `baseUrl` is an allowed origin without a path, because scripts contain the paths. */
export async function checkBaseUrl({ checkAddress }: Pick<QaContext, 'checkAddress'>, baseUrl?: string): Promise<void> {
  if (baseUrl === undefined) return;
  await checkAddress(baseUrl);
  const { origin, pathname, search, hash } = new URL(baseUrl);
  if (pathname === '/' && search === '' && hash === '') return;
  const message = `baseUrl must be an origin without a path, got ${quote(baseUrl, 200)}: scripts contain the paths. Use ${quote(origin, 200)}.`;
  throw invalidArgument('baseUrl', message, { baseUrl: baseUrl.slice(0, 200) });
}
