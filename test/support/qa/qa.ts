import { expect } from 'vitest';
import type { Json } from '../../../src/platform/json.ts';
import type { UseCaseEvidence } from '../../../src/qa/scan/use-case-evidence.ts';
import { renderSpec } from '../../../src/qa/scripts/export/spec-source.ts';
import type { ScriptStep } from '../../../src/qa/scripts/model/script-steps.ts';
import type { QaStore } from '../../../src/qa/store/qa-store.ts';
import { type Connection, callOn, type Result } from '../assay.ts';
import { eventually } from '../eventually.ts';
import { inStore, owner } from './qa-results.ts';

const latest = {
  scan: 'qa_workflow_get_website_scan_latest_run',
  detection: 'qa_workflow_get_test_case_detection_latest_run',
  generation: 'qa_workflow_get_test_script_generation_latest_run',
  replay: 'qa_workflow_get_test_script_replay_latest_run',
  bulk: 'qa_workflow_get_test_script_replay_bulk_latest_run',
};

export interface Qa {
  call(name: string, args?: Record<string, unknown>): Promise<Result>;
  /** The newest run of a workflow, once it has ended. */
  ended(kind: keyof typeof latest, started: Result): Promise<Result>;
  /** A project whose site was scanned, with all use cases approved. */
  approvedAll(projectName: string, url: string): Promise<string>;
  /** The error of a call that must fail. */
  refusal(name: string, args: Record<string, unknown>): Promise<Result>;
  startBulk(args: Record<string, unknown>): Promise<Result>;
  /** The current state of a batch. Its numbers must always add up. */
  summary(runBatchId: string): Promise<Result>;
  /** Waits until a script of the batch runs. */
  isRunning(started: Result): Promise<void>;
}

/** Makes the site hold back all responses until the returned function is called. */
export function hold(site: { hold: Promise<void> | undefined }): () => void {
  const gate = Promise.withResolvers<void>();
  site.hold = gate.promise;
  return () => {
    site.hold = undefined;
    gate.resolve();
  };
}

export function qaOn(client: Connection): Qa {
  const call = callOn(client);
  const qa: Qa = {
    call,
    async ended(kind, { workflowRuntimeId }) {
      const run = () => call(latest[kind], { workflowRuntimeId });
      return eventually(async () => {
        const seen = await run();
        expect(seen.status).toMatch(/succeeded|failed|cancelled/);
        return seen;
      });
    },
    async approvedAll(projectName, url) {
      const { projectId } = await call('qa_project_create', { projectName, url });
      const scan = { projectId, url, description: 'Everything' };
      await qa.ended('scan', await call('qa_workflow_start_website_scan', scan));
      const { useCaseCandidates } = await call('qa_use_case_discovery_memory_get', { projectId });
      const approvedCandidateIds = useCaseCandidates.map(({ id }: Result) => id);
      await call('qa_use_case_candidates_approve', { projectId, approvedCandidateIds });
      return projectId;
    },
    refusal: (name, args) =>
      call(name, args).then(
        () => expect.unreachable(`${name} was not refused`),
        (error: Error) => JSON.parse(error.message),
      ),
    startBulk: (args) => call('qa_workflow_start_test_script_replay_bulk', args),
    async summary(runBatchId) {
      const seen = await call('qa_workflow_get_replay_bulk_run_batch_summary', { runBatchId });
      const { totalScripts, passed, failed, inconclusive, cancelled, running, pending } = seen;
      expect(passed + failed + inconclusive + cancelled + running + pending).toBe(totalScripts);
      const { successCount, failedCount, canceledCount, runningCount, pendingCount } = seen;
      expect(successCount + failedCount + canceledCount + runningCount + pendingCount).toBe(totalScripts);
      return seen;
    },
    isRunning: ({ runBatchId }) => expect.poll(async () => (await qa.summary(runBatchId)).running).toBeGreaterThan(0),
  };
  return qa;
}

export interface KnownScript {
  name: string;
  steps: readonly ScriptStep[];
  secrets?: readonly string[];
  /** It changes the same record as the others that take turns. */
  takesTurns?: boolean;
  owner?: string;
}

const label = (value: string) => ({ name: value, ladder: [{ by: 'label' as const, value }] });
/** Writes an entry into the guest book. */
export const writeEntry: KnownScript = {
  name: 'Write an entry',
  steps: [
    { do: 'goto', url: '/write' },
    { do: 'fill', on: label('Full name'), value: 'Grace' },
    { do: 'fill', on: label('Email address'), value: 'grace@example.com' },
    {
      do: 'click',
      on: { name: 'Send entry', ladder: [{ by: 'role', role: 'button', value: 'Send entry' }] },
      times: 1,
    },
    { do: 'expectText', text: 'Your entry was kept', oracle: 'specified' },
  ],
};

/** Opens the front page of the guest book, and expects its welcome. */
export const welcome = (name: string): KnownScript => ({
  name,
  steps: [
    { do: 'goto', url: '/' },
    { do: 'expectText', text: 'Welcome.', oracle: 'observed' },
  ],
});

/** Stores active scripts in a project, like a generation. Returns their ids in the same order. */
export function addScripts(
  home: string,
  projectId: string,
  url: string,
  scripts: readonly KnownScript[],
): Promise<string[]> {
  return inStore(home, (store) => addScriptsTo(store, projectId, url, scripts));
}

/** The same in an open store. */
export async function addScriptsTo(
  store: QaStore,
  projectId: string,
  url: string,
  scripts: readonly KnownScript[],
): Promise<string[]> {
  const of = { owner: scripts[0]?.owner ?? owner, projectId };
  const addUseCase = (details: Json) =>
    store.useCases.insert({
      ...{ ...of, status: 'APPROVED', source: 'scan', class: 'navigation', title: 'Look around' },
      ...{ description: '', priority: 'HIGH', breakdown: [], requirements: [], details },
    });
  const [free, inTurn] = [await addUseCase({}), await addUseCase(editEvidence(url))];
  const ids: string[] = [];
  for (const [position, { name, steps, secrets = [], takesTurns = false }] of scripts.entries()) {
    const facts = { ...of, useCaseId: takesTurns ? inTurn.id : free.id };
    const testCase = await store.testCases.insert({
      ...{ ...facts, position, fingerprint: name, status: 'ACTIVE', source: 'detection', title: name, url },
      ...{ description: '', goal: '', steps: [], data: {}, expectedResult: '', oracle: 'observed' },
      ...{ priority: 'HIGH', category: 'happy', tags: [], details: {} },
    });
    const script = await store.testScripts.insert({
      ...{ ...facts, testCaseId: testCase.id, version: 1, status: 'active', source: 'generation', name, url },
      ...{ steps: JSON.parse(JSON.stringify(steps)), durationMs: 0, details: {} },
      spec: renderSpec({ title: name, baseUrl: new URL(url).origin, steps, about: '' }),
      secrets: [...secrets],
    });
    ids.push(script.id);
  }
  return ids;
}

/** Of a use case that changes existing records. */
function editEvidence(url: string): Json {
  const evidence: UseCaseEvidence = {
    ...{ class: 'edit', identity: 'edit', confidence: 1, entryUrl: url, everywhere: false, needsLogin: false },
    state: { template: '/', url, title: '', heading: '', seen: 1 },
    ...{ signIn: null, steps: [], form: null, controls: [], stages: [], expected: [], signals: [] },
  };
  return JSON.parse(JSON.stringify(evidence));
}

export function pidOf({ transport }: Connection): number {
  const pid = transport && 'pid' in transport ? transport.pid : undefined;
  if (typeof pid !== 'number') throw new Error('no process');
  return pid;
}
