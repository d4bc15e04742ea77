import type { EarlierPage, ExpectedEntry } from './compare-entries.ts';

/** Compares sent requests with the values that were entered in the fields. */
export interface SentValuesWatch {
  /** Sets the entries to compare with, until the next call or the end; undefined if nothing was entered. */
  expect(sendings: readonly ExpectedEntry[] | undefined, url: string): void;
  /** The entries of earlier pages that were not sent as forms; a script may still send them. */
  earlierPages(): readonly EarlierPage[];
  /** Another document has replaced the page. */
  hasNewDocument(): boolean;
  /** Drops the values of earlier pages under these names. */
  forget(names: readonly string[]): void;
  /** Ends the comparison: later requests belong to another page. */
  end(): SentValuesOutcome;
}

interface SentValuesOutcome {
  /** The entry that was sent with another value. */
  changed: ExpectedEntry | undefined;
  /** A request was sent, and none of its entries could be compared. */
  isUncompared: boolean;
  /** Entries that were sent in a format that cannot be compared. */
  opaque: readonly ExpectedEntry[];
}
