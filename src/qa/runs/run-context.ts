import type { BrowserPool } from '../../platform/browser/browser-pool.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Json } from '../../platform/json.ts';
import type { Logger } from '../../platform/log.ts';
import type { Principal } from '../../platform/principal.ts';
import type { SecretVault } from '../../platform/secrets/secret-vault.ts';
import type { SettingValues } from '../../platform/settings.ts';
import type { ProjectSecrets } from '../secrets/project-secrets.ts';
import type { Artifact, QaProject, QaStore, RunRow, Runtime } from '../store/qa-store.ts';
import type { NewArtifact } from './run-artifacts.ts';
import type { TestVerdict } from './run-kinds.ts';
import type { Usage } from './usage-meter.ts';

/** One execution, with what it was asked for. */
export interface QaRun extends RunRow {
  runtime: Runtime;
  project: QaProject;
}

/** What a run works with. */
export interface RunContext {
  home: string;
  store: QaStore;
  jobs(): Promise<Jobs>;
  /** Whoever asked for the run: for more jobs of the same owner. */
  principal: Pick<Principal, 'issuer' | 'subject'>;
  browsers(): Promise<BrowserPool>;
  /** For `browsers().open` and `createAddressGuard`: private addresses that may be visited; undefined allows all. */
  inside: readonly string[] | undefined;
  secrets: ProjectSecrets;
  vault(): Promise<SecretVault>;
  log: Logger;
  setting: SettingValues['get'];
  /** Aborted when the run is cancelled, and when its worker stops: then another one goes on from the checkpoint. */
  signal: AbortSignal;
  /** Whether `signal` was aborted because somebody cancelled it. */
  isCancelled(): boolean;
  progress(done: number, total?: number, message?: string): void;
  /** Keeps how far it is; `run.checkpoint` has it when another worker goes on. */
  checkpoint(value: Json): Promise<void>;
  /** Writes a file into the run's folder and remembers it. Text in it is cleaned of secrets. */
  saveArtifact(artifact: NewArtifact): Promise<Artifact>;
  /** Adds to the ledger of what this run used up; for a part of it, where it works for several. */
  charge(usage: Usage, part?: Partial<Pick<RunRow, 'useCaseId' | 'testCaseId'>>): Promise<void>;
}

export interface RunOutcome {
  result: Json;
  /** `failed` makes the run a failed one. */
  verdict?: TestVerdict;
  failureClass?: string;
  /** Why the verdict is what it is. */
  error?: string;
  /** The last word of the run: what it ended with. */
  message?: string;
}

/** Does the work of a run. It can be called again for the same run, after a worker died: it goes on where it was. */
export type RunHandler = (run: QaRun, context: RunContext) => Promise<RunOutcome>;
