import type { Page } from 'playwright-core';
import type { Watch } from '../../platform/page/watch.ts';
import type { StoredWizard } from '../files/folder.ts';
import type { Answers } from '../validation/answers.ts';
import type { RunRecord } from './run-record.ts';

/** Something was found by another way than the file's first. Told, and proposed as an edit; never kept in silence. */
export interface Healed {
  field_id: string;
  page: number;
  /** The way that leads there no more, and the one that does. */
  from: string;
  to: string;
  rung: number;
  proposal: string;
}

/** One execution under way. */
export interface Run {
  stored: StoredWizard;
  answers: Answers;
  /** What the caller gave, to tell them which of it a site refused. */
  data: Readonly<Record<string, unknown>>;
  watch: Watch;
  page(): Page;
  signal: AbortSignal;
  /** Milliseconds that are left for work, never less than one. */
  left(): number;
  record: RunRecord;
  healed: Healed[];
  /** What a person should know although it went well. */
  notes: string[];
  /** The page of the wizard that is being filled in. */
  at: number;
  /** How many requests of the page may still change it. */
  pending(): number;
  /** The status of the last document that the site sent. */
  status(): number | undefined;
}
