import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { openArtifactStore } from '../../../src/platform/artifacts/artifact-store.ts';
import { localIssuer } from '../../../src/platform/principal.ts';
import { readSettings } from '../../../src/platform/settings.ts';
import { replayScript } from '../../../src/qa/replay/replay-script.ts';
import { newUsageMeter } from '../../../src/qa/runs/usage-meter.ts';
import type { ScriptStep } from '../../../src/qa/scripts/model/script-steps.ts';
import { saveScript } from '../../../src/qa/scripts/save-script.ts';
import { projectSecretsFrom } from '../../../src/qa/secrets/project-secrets.ts';
import { createQaStore, type QaStore, type QaTestCase, type RunRow } from '../../../src/qa/store/qa-store.ts';
import { openTestStore } from '../open-store.ts';

/** What is stored for each case, in the same order: a confirmed script, an unconfirmed one, or a verdict. */
interface Task {
  what: 'proven script' | 'failed attempt' | 'verdict';
  runId: string;
  testCaseIds: readonly string[];
}

interface StoreLocation {
  home: string;
  url: string | undefined;
}

/** Stands for another server on the same store: a thread with its own connection. */
export interface Keeper extends AsyncDisposable {
  keep(task: Task): Promise<void>;
}

/** Names a missing secret, so that a replay ends without a browser. */
const steps: ScriptStep[] = [
  { do: 'goto', url: '/' },
  { do: 'fillSecret', on: { name: 'Password', ladder: [{ by: 'label', value: 'Password' }] }, secret: 'GONE' },
  { do: 'expectText', text: 'Welcome', oracle: 'observed' },
];

const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
void (async () => {
  const { keeperHere } = await import(workerData.module);
  const keeper = await keeperHere(workerData.location);
  parentPort.on('message', (task) => {
    keeper.keep(task).then(() => parentPort.postMessage('kept'), (error) => parentPort.postMessage(String(error)));
  });
  parentPort.postMessage('ready');
})();`;

export async function keeperApart(location: StoreLocation): Promise<Keeper> {
  const thread = new Worker(THREAD, { eval: true, workerData: { module: import.meta.url, location } });
  await once(thread, 'message');
  return {
    async keep(task) {
      const answered = once(thread, 'message');
      thread.postMessage(task);
      const [answer] = await answered;
      if (answer !== 'kept') throw new Error(answer);
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
}

/** The same without a thread. */
export async function keeperHere({ home, url }: StoreLocation): Promise<Keeper> {
  const opened = await openTestStore({ home, url });
  const store = createQaStore(opened);
  return {
    async keep({ what, runId, testCaseIds }) {
      const run = await store.runs.get(runId);
      const cases = await store.testCases.list({ id: testCaseIds });
      if (!run) throw new Error(`no run ${runId}`);
      for (const testCase of cases)
        if (what === 'verdict') await judge(store, home, run, testCase);
        else await keep(store, home, run, testCase, what === 'proven script');
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const secrets = projectSecretsFrom([], new Map());
const principal = { issuer: localIssuer, subject: 'me' };

const artifactsIn = (home: string) => openArtifactStore(home, readSettings([], [], {}).get);

async function keep(store: QaStore, home: string, run: RunRow, testCase: QaTestCase, proven: boolean): Promise<void> {
  const written = { steps, mutants: [], durationMs: 100, source: 'generated' as const };
  const failure = { kind: 'too weak' as const, reason: `Attempt of ${run.id}` };
  const services = { artifacts: await artifactsIn(home), principal, store, secrets };
  if (proven) await saveScript(run, services, testCase, written, 'active');
  else await saveScript(run, services, testCase, { ...written, failure }, 'failed');
}

async function judge(store: QaStore, home: string, run: RunRow, { id }: QaTestCase): Promise<void> {
  const script = await store.testScripts.newest({ testCaseId: id });
  if (!script) throw new Error(`no script of ${id}`);
  const browsers = () => Promise.reject(new Error('no browser is needed'));
  const signal = new AbortController().signal;
  const artifacts = await artifactsIn(home);
  const services = { home, artifacts, principal, store, secrets, browsers, inside: undefined, signal };
  await replayScript(services, run, script, { meter: newUsageMeter() });
}
