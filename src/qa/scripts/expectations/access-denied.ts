import { type ExpectationChoice, outcomeUnknown, siteContradiction } from '../model/written-script.ts';
import { type CaseRecording, lastObservation, observationPair } from './case-recording.ts';
import { textExpectation, urlExpectation } from './observed-expectations.ts';
import { assertableLines } from './stable-text.ts';

/** Without a session the page must not be visible. A login in its place or a redirect counts as denied. */
export function expectAccessDenied(recording: CaseRecording): ExpectationChoice {
  const { evidence, sent, plan } = recording;
  const seen = lastObservation(recording);
  const status = sent.findLast(({ opensPage }) => opensPage)?.status ?? 0;
  const { heading, title } = evidence.state;
  const isShown = heading !== '' && seen.lines.some(({ text }) => text.includes(heading));
  const isHidden = heading === '' ? title !== '' && seen.title !== title : !isShown;
  const isElsewhere = !isSamePage(plan.entry, seen.url);
  // A login that asks for the user name first shows no password field yet.
  const asksToSignIn = seen.hasPasswordField || evidence.signIn?.next !== undefined;
  const isRefused =
    status === 401 ||
    status === 403 ||
    (isElsewhere && (isHidden || seen.hasPasswordField)) ||
    (isHidden && asksToSignIn);
  if (!isRefused) {
    // Without a heading, the same address with the same title and without a login is the page.
    const isSeen = isShown || (heading === '' && !isHidden && !isElsewhere && !seen.hasPasswordField);
    return isSeen
      ? siteContradiction('The page is visible without a session.')
      : outcomeUnknown('Whether a visitor without a session sees the page or a login is unknown.');
  }
  return {
    expectations: [
      urlExpectation(recording, 'specified'),
      ...(heading !== '' && !isShown
        ? [{ do: 'expectNoText' as const, text: heading, oracle: 'specified' as const }]
        : []),
      ...assertableLines(observationPair(recording))
        .filter((text) => heading === '' || !text.includes(heading))
        .slice(0, 2)
        .map((text) => textExpectation(text)),
    ],
  };
}

/** Whether the address is still the one that was opened; an added query does not count. */
function isSamePage(entry: string, now: string): boolean {
  const [from, to] = [URL.parse(entry, now), URL.parse(now)];
  if (!from || !to) return false;
  const path = ({ pathname, hash }: URL) => pathname.replace(/\/+$/, '') + (/^#[!/]/.test(hash) ? hash : '');
  const isKept = [...from.searchParams].every(([name, value]) => to.searchParams.get(name) === value);
  return from.origin === to.origin && path(from) === path(to) && isKept;
}
