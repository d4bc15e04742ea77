/** What Playwright says, by cause. Its errors have no codes. */

/** The page or the browser ended: closed, crashed or disconnected. */
export const browserEndedMessage =
  /(?:page|context|browser|target|frame) has been closed|(?:target|browser|connection) closed|browser has disconnected|crashed/i;

/** The page was replaced by another one during a question to it. */
export const pageReplacedMessage =
  /Execution context was destroyed|Frame was detached|because of a navigation|Cannot find context|navigating and changing/;
