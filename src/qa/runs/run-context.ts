import type { ArtifactStore } from '../../platform/artifacts/artifact-store.ts';
import type { BrowserPool } from '../../platform/browser/browser-pool.ts';
import type { awaitsParts } from '../../platform/jobs/job-parts.ts';
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

/** A run with its workflow and project. */
export interface QaRun extends RunRow {
  runtime: Runtime;
  project: QaProject;
}

/** A piece of a run, as a job of its own. */
export interface RunPart {
  /** Names the part within its run, the same in every attempt. */
  name: string;
  kind: string;
  payload: Readonly<Record<string, Json>>;
}

/** Services and callbacks of a run. */
export interface RunContext {
  home: string;
  store: QaStore;
  artifacts: ArtifactStore;
  jobs(): Promise<Jobs>;
  /** Caller that started the run; owner of further jobs. */
  principal: Pick<Principal, 'issuer' | 'subject'>;
  browsers(): Promise<BrowserPool>;
  /** For `browsers().open` and `createAddressGuard`: private addresses that may be visited; undefined allows all. */
  inside: readonly string[] | undefined;
  secrets: ProjectSecrets;
  vault(): Promise<SecretVault>;
  log: Logger;
  setting: SettingValues['get'];
  /** Aborted on cancellation and when the worker stops; another worker then resumes from the checkpoint. */
  signal: AbortSignal;
  /** Whether the run is repeated after this error, because its cause lies outside of the run. */
  isRetried(error: unknown): boolean;
  /** Whether several machines may share the store, so that a run is split into jobs for their workers. */
  isFleet: boolean;
  /**
   * Splits the run into jobs that any worker runs, in this order and at most `atATime` at a time. Nothing is stored while earlier
   * ones are unfinished. Returns the number of unfinished ones; if there are some, return `awaitsParts`.
   */
  submitParts(parts: readonly RunPart[], options: { atATime?: number | undefined }): Promise<number>;
  /** Whether `signal` was aborted by a cancellation. */
  isCancelled(): boolean;
  progress(done: number, total?: number, message?: string): void;
  /** Saves progress for another worker, which reads it from `run.checkpoint`. */
  checkpoint(value: Json): Promise<void>;
  /** Saves a file of the run with secrets redacted. */
  saveArtifact(artifact: NewArtifact): Promise<Artifact>;
  /** Records usage of the run, or of one test case of it. */
  charge(usage: Usage, part?: Partial<Pick<RunRow, 'useCaseId' | 'testCaseId'>>): Promise<void>;
}

export interface RunOutcome {
  result: Json;
  /** `failed` and `inconclusive` set the run status to failed. */
  verdict?: TestVerdict;
  failureClass?: string;
  /** Reason of the verdict. */
  error?: string;
  /** Final status message. */
  message?: string;
}

/**
 * Executes a run. It may be called again for the same run after a worker died and then resumes. With `awaitsParts` it is called
 * again when all parts of the run have ended.
 */
export type RunHandler = (run: QaRun, context: RunContext) => Promise<RunOutcome | typeof awaitsParts>;
