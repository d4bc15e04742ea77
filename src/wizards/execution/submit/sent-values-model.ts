import type { EarlierPage, ExpectedEntry } from './compare-entries.ts';

/** Compares what leaves the browser with what the fields held that it comes from. */
export interface SentValuesWatch {
  /** From now on, until the next time or the end; undefined: nothing was entered. */
  expect(sendings: readonly ExpectedEntry[] | undefined, url: string): void;
  /** What the pages before this one held, and have not sent as forms. A script may send it yet. */
  earlierPages(): readonly EarlierPage[];
  /** Another document has taken the place of the page. */
  hasNewDocument(): boolean;
  /** Of these names what the earlier pages held does not count any more. */
  forget(names: readonly string[]): void;
  /** What is sent from now on belongs to another page. */
  end(): SentValuesOutcome;
}

interface SentValuesOutcome {
  /** What was sent otherwise. */
  changed: ExpectedEntry | undefined;
  /** Something left, and nothing of it could be compared. */
  isUncompared: boolean;
  /** Values that left in a format that cannot be compared. */
  opaque: readonly ExpectedEntry[];
}
