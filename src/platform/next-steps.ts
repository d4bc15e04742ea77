import type { Failure } from './errors.ts';

/** The next step after a failure, by its code: for failures whose message only says what happened. */
export type NextSteps = Readonly<Record<string, string>>;

const READ_PAGE_AGAIN = 'Read the page again, and use an element that it has now.';

/** The codes that the platform and the call boundary throw for every toolset. */
const platformNextSteps = {
  INVALID_ARGUMENTS: 'Correct the arguments by the input schema of the tool, then call it again.',
  CANCELLED: 'Call the tool again if its result is still needed.',
  INTERNAL: 'Report the error with its id to the operator of this server. Other calls are not affected.',
  BROWSER_GONE: 'Call the tool again: the next call starts another browser.',
  ELEMENT_NOT_FOUND: READ_PAGE_AGAIN,
  ELEMENT_CHANGED: READ_PAGE_AGAIN,
  ELEMENT_GONE: READ_PAGE_AGAIN,
  ELEMENT_AMBIGUOUS: 'Use a locator that matches only one element.',
  ELEMENT_COVERED: 'Close what covers the element, then try again.',
  ELEMENT_DISABLED: 'Fill in what the page requires before it enables the element.',
  ELEMENT_READ_ONLY: 'Leave the value as it is, or use another element.',
  ELEMENT_HIDDEN: 'Open the part of the page that shows the element, then try again.',
  ELEMENT_MOVING: 'Wait until the page no longer moves, then try again.',
  WRONG_KIND: 'Use an element that takes this kind of value.',
  VALUE_REFUSED: 'Pass a value that the field takes.',
  VALUE_NOT_KEPT: 'Check the format that the page expects, then pass the value in this format.',
  OPTION_AMBIGUOUS: 'Pass the complete text of one option.',
  OPTION_CHANGED: 'Check the options of the field, then pass one of them.',
  NO_SUCH_OPTION: 'Pass the text of one of the options that the field has.',
  FOREIGN_ARTIFACT: 'Check that no other program writes to the bucket, then start the work again.',
  SUPERSEDED: 'Use the result of the later attempt.',
  NO_SNAPSHOT: 'Start the work that writes these files again.',
  TIMEOUT: 'Check that the site responds, then try again.',
} satisfies NextSteps;

/** A code whose next step is known to every toolset. */
export type PlatformCode = keyof typeof platformNextSteps;

/**
 * What the caller can do next: the hint of the failure, otherwise the step for its code. Undefined if the message says it;
 * `test/repository/next-steps.test.ts` checks every failure of the sources.
 */
export function nextStepOf({ code, details }: Failure, own: NextSteps = {}): string | undefined {
  const { hint } = details;
  return typeof hint === 'string' ? hint : (own[code] ?? stepFor(code));
}

function stepFor(code: string): string | undefined {
  return Object.entries(platformNextSteps).find(([known]) => known === code)?.[1];
}
