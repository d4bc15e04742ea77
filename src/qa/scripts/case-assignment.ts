import { Failure } from '../../platform/errors.ts';
import { type CasePlan, readCasePlan } from '../cases/case-plan.ts';
import { lacksLoginSecrets, loginSecretsFor } from '../cases/derive/login-secrets.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { UseCaseClass } from '../scan/use-case-classes.ts';
import { evidenceOfUseCase, formOfPage, type PageState, type UseCaseEvidence } from '../scan/use-case-evidence.ts';
import type { SecretPlaceholders } from '../secrets/secret-placeholders.ts';
import type { QaTestCase } from '../store/qa-store.ts';
import type { CaseAssignment } from './record/record-case.ts';

type AssignmentServices = Pick<RunContext, 'store' | 'secrets'>;

/** The steps of a case, with those of its preconditions. */
export async function buildAssignment(context: AssignmentServices, testCase: QaTestCase): Promise<CaseAssignment> {
  const plan = readPlan(context, testCase);
  const evidence = await readEvidence(context, testCase.useCaseId);
  if (lacksLoginSecrets(plan, evidence)) throw await missingAccountFailure(context, testCase, evidence);
  const others = await Promise.all(plan.before.map((useCaseId) => findHappyPath(context, useCaseId)));
  const before = others.flatMap((one) => one ?? []);
  const isLiving = await isListChangedByOthers(context, testCase, evidence);
  if (plan.page === 0) return { plan, evidence, before, isLiving };
  const form = formOfPage(evidence, plan.page);
  const first = await findHappyPath(context, testCase.useCaseId);
  if (form && first)
    return { plan, evidence: { ...evidence, form }, before: [...before, { ...first, pages: plan.page }], isLiving };
  throw new Failure(
    'bad_input',
    'NO_PAGE',
    'The pages of the form are no longer known: generate its scripts again with qa_workflow_start_test_script_generation.',
  );
}

/** Without the account, the run would report a defect of a site that only rejected an unknown user. */
async function missingAccountFailure(
  { store }: AssignmentServices,
  { projectId }: QaTestCase,
  evidence: UseCaseEvidence,
): Promise<Failure> {
  const account = await loginSecretsFor(store, projectId, evidence);
  if (evidence.form?.leaves)
    return new Failure(
      'bad_input',
      'NO_SECRETS',
      'The login form posts to another origin, and the project has no secret for it. Create one with qa_secret_create.',
    );
  const message = account
    ? `The test case is older than the secrets ${account.username} and ${account.password}: detect test cases again with qa_workflow_start_test_case_detection.`
    : `The project has no secrets for this login. Create a user name and a password with qa_secret_create, e.g. TEST_USER_NAME and TEST_USER_PASSWORD, then detect test cases again with qa_workflow_start_test_case_detection.`;
  return new Failure('bad_input', 'NO_SECRETS', message);
}

const writingClasses: readonly UseCaseClass[] = ['create', 'edit', 'delete', 'upload'];

/** Whether another use case creates, changes or deletes the content of a page: its own page is one level below. */
async function isListChangedByOthers(
  { store, secrets }: AssignmentServices,
  { projectId }: QaTestCase,
  { state }: UseCaseEvidence,
): Promise<boolean> {
  const all = await store.useCases.list({ projectId });
  return all
    .flatMap((one) => evidenceOfUseCase(one) ?? [])
    .some((one) => writingClasses.includes(one.class) && isPathBelow(secrets.placeholders.restore(one.state), state));
}

/** All pages are below the start page, so only its direct children count. */
export function isPathBelow(one: Pick<PageState, 'template'>, list: Pick<PageState, 'template'>): boolean {
  const [path = [], top = []] = [one, list].map(({ template }) =>
    (template.split('?')[0] ?? '').split('/').filter(Boolean),
  );
  if (top.length === 0) return path.length < 2;
  return top.every((part, i) => part === path[i]);
}

function readPlan({ secrets }: AssignmentServices, testCase: QaTestCase): CasePlan {
  const plan = readCasePlan(testCase);
  if (plan)
    return { ...plan, entry: secrets.placeholders.restore(plan.entry), ...restoreKeys(plan, secrets.placeholders) };
  throw new Failure(
    'bad_input',
    'NO_PLAN',
    'The case was written by hand: write its script with qa_test_script_upsert.',
  );
}

/**
 * Restores secrets in keys only: values are derived from the text of a page, which must not be able to request a
 * secret.
 */
function restoreKeys({ values, secrets, typed }: CasePlan, { restore }: SecretPlaceholders) {
  const keyed = (record: Record<string, string>) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [restore(key), value]));
  return { values: keyed(values), secrets: keyed(secrets), typed: restore(typed) };
}

async function readEvidence({ store, secrets }: AssignmentServices, useCaseId: string) {
  const useCase = await store.useCases.get(useCaseId);
  const evidence = useCase && evidenceOfUseCase(useCase);
  if (evidence) return secrets.placeholders.restore(evidence);
  throw new Failure(
    'bad_input',
    'NO_EVIDENCE',
    'The use case has no page: write the script with qa_test_script_upsert.',
  );
}

async function findHappyPath(context: AssignmentServices, useCaseId: string) {
  const happy = await context.store.testCases.first({ useCaseId, fingerprint: 'happy' });
  return happy && { plan: readPlan(context, happy), evidence: await readEvidence(context, useCaseId) };
}
