/** A Chromium on this machine that can be launched. */
export interface InstalledBrowser {
  path: string;
  /** Origin of the browser, for messages. */
  source: string;
  /** Environment variables for its own libraries and fonts. */
  env: Record<string, string>;
}
