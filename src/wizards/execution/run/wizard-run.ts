import type { Page, Request } from 'playwright-core';
import type { PageEventWatch } from '../../../platform/page/settle/page-events.ts';
import type { StoredWizard } from '../../files/wizard-folder.ts';
import type { WizardAnswers } from '../../validation/answers.ts';
import type { HealedSelector } from '../record/healing-model.ts';
import type { RunRecord } from '../record/run-record.ts';
import type { RunRedactor } from '../redaction/run-redactor.ts';
import type { ExpectedEntry } from '../submit/compare-entries.ts';
import type { SentValuesWatch } from '../submit/sent-values-model.ts';
import type { SubmissionWatch } from '../submit/submission-watch.ts';

interface GuardedValues {
  fields: readonly { selector: string }[];
  /** Whether all of it is still held: at once, or when the page has come to rest. Else it fails. */
  check(): Promise<void>;
  checkAtRest(): Promise<void>;
  /** The page has changed some of it while it was being sent: fails with what it was, where that can be seen. */
  throwIfChanged(): Promise<void>;
  /** What a form would send of them, as they were last seen. */
  entries: readonly ExpectedEntry[];
}

/** One execution under way. */
export interface WizardRun {
  stored: StoredWizard;
  answers: WizardAnswers;
  /** What the caller gave, to tell them which of it a site refused. */
  data: Readonly<Record<string, unknown>>;
  /** Keeps private values out of what is told. */
  redactor: RunRedactor;
  watch: PageEventWatch;
  page(): Page;
  signal: AbortSignal;
  /** Milliseconds that are left for work, never less than one. */
  remainingMs(): number;
  record: RunRecord;
  healed: HealedSelector[];
  /** Those of them that say which private choice was made. */
  privateHeals: Set<HealedSelector>;
  /** What a person should know although it went well. */
  warnings: string[];
  /** The page of the wizard that is being filled in. */
  pageNumber: number;
  /** How many requests of the page may still change it. */
  pendingRequests(): number;
  /** The same without what the page had asked for before it was filled in, and never gets. */
  activeRequests(): number;
  /** How many of them are only that. */
  hangingRequests(): number;
  isHangingRequest(request: Request): boolean;
  /** The page is about to be filled in. */
  markFillStart(): void;
  /** What the page was given, from when it was seen to be kept to the click that sends it. */
  guardedValues?: GuardedValues | undefined;
  /** What left since the last page was sent. */
  submission: SubmissionWatch;
  /** Whether what left is what the page was given. */
  sentValues: SentValuesWatch;
  /** The status of the last document that the site sent. */
  documentStatus(): number | undefined;
}
