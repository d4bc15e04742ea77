/**
 * What a person wants to have in a control: text or the name of an option; a number; on or off; several options; for a table of
 * questions the answer of each row, or of each column of each row. Dates and times are ISO 8601, like `2027-03-23` and `10:15`.
 */
export type WidgetValue = string | number | boolean | readonly string[] | { readonly [row: string]: WidgetValue };

/** What became of a value. */
export interface ValueResult {
  /**
   * `confirmed`: the page shows the value. `unconfirmed`: it was entered, but nothing visible says so. `different`: the page shows
   * something else. `failed`: it could not be entered.
   */
  status: 'confirmed' | 'unconfirmed' | 'different' | 'failed';
  /** What the page shows in the control now. Untrusted. Empty for a password. */
  shown: string;
  /** Empty when confirmed; otherwise what happened, with the value and the next step. */
  problem: string;
  /** How it was entered, for logs. */
  how: string[];
}
