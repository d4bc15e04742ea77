import { quote } from '../../platform/errors.ts';
import { invalidArgument } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { currentRun } from '../runs/run-status.ts';
import type { QaRepositories, QaSecret } from '../store/qa-store.ts';
import { mapStrings, renamePlaceholders } from './secret-placeholders.ts';

/** Rejects a rename while a run uses the old name. */
export async function rejectRenameWhileRunning(qa: QaContext, { projectId, name }: QaSecret): Promise<void> {
  for (const run of await qa.store.runs.list({ projectId, status: 'running' })) {
    const { status } = await currentRun(qa, run);
    if (status !== 'running') continue;
    const message = `The run ${run.id} still uses the secret ${quote(name)}: rename it after the run has ended, or cancel the run.`;
    throw invalidArgument('name', message, { workflowRunId: run.id });
  }
}

/** Renames a secret in candidates, use cases, cases, scripts and runtimes. */
export async function renameSecretReferences(
  { candidates, evidence, useCases, testCases, testScripts, runtimes }: QaRepositories,
  projectId: string,
  names: { from: string; to: string },
): Promise<void> {
  const anew = <Value>(value: Value) => renameIn(value, names);
  for (const { id, url, details } of await candidates.list({ projectId }))
    await candidates.update(id, anew({ url, details }));
  for (const { id, pageUrl } of await evidence.list({ projectId })) await evidence.update(id, anew({ pageUrl }));
  for (const { id, url, details } of await useCases.list({ projectId }))
    await useCases.update(id, anew({ url, details }));
  for (const { id, url, steps, data, instructions, details } of await testCases.list({ projectId })) {
    const words = { instructions, steps, data };
    await testCases.update(id, anew({ url, details, ...mapStrings(words, (text) => renameInText(text, names)) }));
  }
  for (const { id, url, steps, spec, secrets, details } of await testScripts.list({ projectId }))
    await testScripts.update(id, anew({ url, steps, details, secrets, spec: renameInSpec(spec, names) }));
  for (const { id, payload } of await runtimes.list({ projectId })) await runtimes.update(id, anew({ payload }));
}

type SecretRenaming = { from: string; to: string };

/** Keys whose values are names of secrets. */
const NAME_KEYS = ['secret', 'secrets', 'usernameSecret', 'passwordSecret'];

function renameIn<Value>(value: Value, names: SecretRenaming): Value {
  const inside = (given: unknown, isName: boolean): unknown => {
    if (typeof given === 'string') return isName && given === names.from ? names.to : renamePlaceholders(given, names);
    if (Array.isArray(given)) return given.map((one) => inside(one, isName));
    if (typeof given !== 'object' || given === null) return given;
    const entries = Object.entries(given);
    return Object.fromEntries(
      entries.map(([key, one]) => [renamePlaceholders(key, names), inside(one, isName || NAME_KEYS.includes(key))]),
    );
  };
  // The structure stays: only strings change.
  return inside(value, false) as Value;
}

/** In the text of a case: `Enter the secret NAME in Password`. */
function renameInText(text: string, { from, to }: SecretRenaming): string {
  if (text === `secret ${from}`) return `secret ${to}`;
  return text.replaceAll(`Enter the secret ${from} in `, () => `Enter the secret ${to} in `);
}

/** In the source of a Playwright test. */
function renameInSpec(spec: string, names: SecretRenaming): string {
  const literal = (name: string) => `'${name.replaceAll(/[\\']/g, '\\$&')}'`;
  const [from, to] = [literal(names.from), literal(names.to)];
  const inError = (name: string) => `Error(${literal(`Set ${name}`)})`;
  return renameInText(spec, names)
    .replaceAll(`process.env[${from}]`, () => `process.env[${to}]`)
    .replaceAll(inError(names.from), () => inError(names.to));
}
