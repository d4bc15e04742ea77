import type { Page, Request } from 'playwright-core';
import type { Watch } from '../../platform/page/watch.ts';
import type { StoredWizard } from '../files/folder.ts';
import type { Answers } from '../validation/answers.ts';
import type { AsSent } from './as-sent.ts';
import type { Discreet } from './discreet.ts';
import type { Healed } from './healed.ts';
import type { RunRecord } from './run-record.ts';
import type { Sending } from './sending-tools.ts';
import type { Sent } from './sent.ts';

interface Held {
  fields: readonly { selector: string }[];
  /** Whether all of it is still held: at once, or when the page has come to rest. Else it fails. */
  check(): Promise<void>;
  checkAtRest(): Promise<void>;
  /** The page has changed some of it while it was being sent: fails with what it was, where that can be seen. */
  refuseChanged(): Promise<void>;
  /** What a form would send of them, as they were last seen. */
  sendings: readonly Sending[];
}

/** One execution under way. */
export interface Run {
  stored: StoredWizard;
  answers: Answers;
  /** What the caller gave, to tell them which of it a site refused. */
  data: Readonly<Record<string, unknown>>;
  /** Keeps private values out of what is told. */
  discreet: Discreet;
  watch: Watch;
  page(): Page;
  signal: AbortSignal;
  /** Milliseconds that are left for work, never less than one. */
  left(): number;
  record: RunRecord;
  healed: Healed[];
  /** Those of them that say which private choice was made. */
  telling: Set<Healed>;
  /** What a person should know although it went well. */
  notes: string[];
  /** The page of the wizard that is being filled in. */
  at: number;
  /** How many requests of the page may still change it. */
  pending(): number;
  /** The same without what the page had asked for before it was filled in, and never gets. */
  asking(): number;
  /** How many of them are only that. */
  hanging(): number;
  isHanging(request: Request): boolean;
  /** The page is about to be filled in. */
  begins(): void;
  /** What the page was given, from when it was seen to be kept to the click that sends it. */
  held?: Held | undefined;
  /** What left since the last page was sent. */
  sent: Sent;
  /** Whether what left is what the page was given. */
  asSent: AsSent;
  /** The status of the last document that the site sent. */
  status(): number | undefined;
}
