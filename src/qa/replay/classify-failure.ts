import { browserEndedMessage } from '../../platform/browser/browser-messages.ts';
import { Failure } from '../../platform/errors.ts';
import { isExpectation } from '../scripts/model/script-steps.ts';
import type { ReplaySession } from './session/replay-session.ts';
import type { SentRequest } from './session/session-traffic.ts';
import type { StepOutcome } from './steps/step-outcome.ts';

/** Where the cause of a failure is: environment, script or product. */
const failureClasses = ['infrastructure', 'stale script', 'product defect'] as const;
type FailureClass = (typeof failureClasses)[number];

export interface ClassifiedFailure {
  failureClass: FailureClass;
  /** The sign that decided, in words. */
  reason: string;
}

type FailureTraces = Pick<ReplaySession, 'failures' | 'sent' | 'happenings'> & {
  /** The page is not the one that the script expects at this point. */
  isElsewhere: boolean;
  /** The names of the secrets that the script enters. */
  secrets: readonly string[];
};

const unreachableError =
  /net::ERR_(CONNECTION|NAME|ADDRESS|INTERNET|NETWORK|TIMED_OUT|EMPTY_RESPONSE|SSL|CERT|PROXY|TUNNEL)|NS_ERROR|ECONN/;

/** Whether an error, or a stored error text, is that of a browser that ended. */
export function isEndedBrowserError(message: string): boolean {
  return browserEndedMessage.test(message);
}

/**
 * Decides where the cause of one failed attempt is, strongest sign first. `replay-script.ts` compares attempts to find flaky
 * scripts.
 */
export function classifyFailure({ step, error }: StepOutcome, traces: FailureTraces): ClassifiedFailure {
  const { failures, sent, happenings, isElsewhere, secrets } = traces;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Failure ? error.code : undefined;
  const crash = happenings.find(({ kind }) => kind === 'crash');
  if (crash || code === 'BROWSER_GONE' || isEndedBrowserError(message))
    return { failureClass: 'infrastructure', reason: 'The browser ended.' };
  if (code === 'NO_SECRET' || code === 'NO_ANSWER') return { failureClass: 'infrastructure', reason: message };
  if (code === 'OTHER_SITE')
    return { failureClass: 'product defect', reason: 'The site led to another site, where no secret is entered.' };
  const lastPage = sent.findLast(({ opensPage }) => opensPage);
  if (unreachableError.test(message) || lastPage?.status === 0)
    return { failureClass: 'infrastructure', reason: 'The site could not be reached.' };
  const turnedAway = lastPage && describeRateLimit(lastPage);
  if (turnedAway) return { failureClass: 'infrastructure', reason: turnedAway };
  const [serverError] = failures;
  if (serverError) return { failureClass: 'product defect', reason: serverError };
  const partTurnedAway = findRateLimit(sent);
  if (partTurnedAway) return { failureClass: 'infrastructure', reason: partTurnedAway };
  if (code === 'PAGE_GONE' || code === 'ONLY_FRAME') return { failureClass: 'stale script', reason: message };
  // Neither depends on the content of the page.
  const isOpening = step.do === 'goto' || step.do === 'reload' || step.do === 'back';
  if (code === 'TOO_SLOW') return { failureClass: 'infrastructure', reason: 'The page did not load in time.' };
  if (isOpening && /net::ERR_ABORTED/.test(message))
    return { failureClass: 'infrastructure', reason: 'The browser aborted loading the page.' };
  const refused = lastPage && describeAccessRefusal(lastPage, secrets);
  if (refused && code !== 'EXPECTATION') return { failureClass: 'product defect', reason: refused };
  if (!isExpectation(step))
    return {
      failureClass: 'stale script',
      reason: 'The element was not found or could not be used, and nothing failed on the site.',
    };
  // On an unexpected page, a missing element says more about the page than about the script.
  if (code !== 'EXPECTATION' && isElsewhere)
    return { failureClass: 'product defect', reason: 'The site led to another page than expected.' };
  if (code !== 'EXPECTATION')
    return {
      failureClass: 'stale script',
      reason: 'The element to look at was not found, and nothing failed on the site.',
    };
  return expectationFailed(step.oracle, refused);
}

function expectationFailed(oracle: 'specified' | 'observed', refused: string | undefined): ClassifiedFailure {
  const basis =
    oracle === 'specified'
      ? 'The site violates its own constraints or a requirement.'
      : 'The site behaves differently than when the test was recorded.';
  return { failureClass: 'product defect', reason: refused ? `${basis} ${refused}` : basis };
}

const TOO_MANY_REQUESTS = 429;
const TOO_SLOW = 408;

/** A rate limit of the site, such as during many replays, is no result of the test, whatever the page lacks. */
function findRateLimit(sent: readonly SentRequest[]): string | undefined {
  const current = sent.slice(sent.findLastIndex(({ opensPage }) => opensPage) + 1);
  const one = current.find(({ path, status }) => status === TOO_MANY_REQUESTS && path.startsWith('/'));
  return one && describeRateLimit(one);
}

/** The failure text for a response with status 408 or 429; undefined for others. */
export function describeRateLimit({ method, path, status }: Omit<SentRequest, 'opensPage'>): string | undefined {
  if (status !== TOO_SLOW && status !== TOO_MANY_REQUESTS) return undefined;
  const why = status === TOO_SLOW ? 'request timeout' : 'too many requests';
  return `The site answered ${method} ${path} with ${status}: ${why}. Replay later, or with fewer workers.`;
}

/** The page exists but this visitor may not see it: no locator is stale. */
function describeAccessRefusal({ method, path, status }: SentRequest, secrets: readonly string[]): string | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const check = secrets.length > 0 ? ` Check these secrets: ${secrets.join(', ')}.` : '';
  return `The site answered ${method} ${path} with ${status}: access denied.${check}`;
}
