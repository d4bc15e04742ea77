import type { Page, Request } from 'playwright-core';
import type { RequestRecord } from '../../../page/outcome/caused-requests.ts';
import type { PageEventWatch } from '../../../platform/page/settle/page-events.ts';
import type { StoredWizard } from '../../files/wizard-folder.ts';
import type { WizardAnswers } from '../../validation/answers.ts';
import type { HealedSelector } from '../record/healing-model.ts';
import type { RunRecord } from '../record/run-record.ts';
import type { RunRedactor } from '../redaction/run-redactor.ts';
import type { ExpectedEntry } from '../submit/compare-entries.ts';
import type { SentValuesWatch } from '../submit/sent-values-model.ts';

interface GuardedValues {
  fields: readonly { selector: string }[];
  /** Fails unless the page keeps all values: now, or when it has settled. */
  check(): Promise<void>;
  checkAtRest(): Promise<void>;
  /** Fails with the changed value if the page changed it while it was submitted and still shows it. */
  throwIfChanged(): Promise<void>;
  /** The entries that a form would send for the values, as last read. */
  entries: readonly ExpectedEntry[];
}

/** One execution while it runs. */
export interface WizardRun {
  stored: StoredWizard;
  answers: WizardAnswers;
  /** The raw user data, so that an error can name the value that the site rejected. */
  data: Readonly<Record<string, unknown>>;
  /** Keeps private values out of results and errors. */
  redactor: RunRedactor;
  watch: PageEventWatch;
  page(): Page;
  signal: AbortSignal;
  /** Milliseconds left for the work, at least one. */
  remainingMs(): number;
  record: RunRecord;
  healed: HealedSelector[];
  /** The healed selectors that reveal a private choice. */
  privateHeals: Set<HealedSelector>;
  /** What the user should know about a successful run. */
  warnings: string[];
  /** The number of the wizard page that is being filled in. */
  pageNumber: number;
  /** The number of open requests that may still change the page. */
  pendingRequests(): number;
  /** Like `pendingRequests`, without requests from before the fill that stay open. */
  activeRequests(): number;
  /** The number of requests from before the fill that stay open. */
  hangingRequests(): number;
  isHangingRequest(request: Request): boolean;
  /** Marks the start of the fill. */
  markFillStart(): void;
  /** The entered values, from their verification to the click that submits them. */
  guardedValues?: GuardedValues | undefined;
  /** The requests since the last page was submitted; undefined before. */
  submission?: RequestRecord | undefined;
  /** Compares the sent values with the entered ones. */
  sentValues: SentValuesWatch;
  /** The HTTP status of the last document. */
  documentStatus(): number | undefined;
}
