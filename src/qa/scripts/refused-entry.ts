import { place, says } from './observed.ts';
import { tellingLines } from './texts.ts';
import { lastSeen, twice, type Witnessed } from './witnessed.ts';
import { type Chosen, contradiction, notTold } from './written.ts';

/** Nobody is signed in: the page must not be seen. A login in its place refuses, and so does being led elsewhere. */
export function refusedEntry(witnessed: Witnessed): Chosen {
  const { evidence, sent, plan } = witnessed;
  const seen = lastSeen(witnessed);
  const status = sent.findLast(({ opensPage }) => opensPage)?.status ?? 0;
  const { heading, title } = evidence.state;
  const isShown = heading !== '' && seen.lines.some(({ text }) => text.includes(heading));
  const isHidden = heading === '' ? title !== '' && seen.title !== title : !isShown;
  const isElsewhere = !isSamePage(plan.entry, seen.url);
  // Where the name is asked for alone, there is no password to be seen yet.
  const asksToSignIn = seen.hasPasswordField || evidence.signIn?.next !== undefined;
  const isRefused =
    status === 401 ||
    status === 403 ||
    (isElsewhere && (isHidden || seen.hasPasswordField)) ||
    (isHidden && asksToSignIn);
  if (!isRefused) {
    // Without a heading, the same address with the same title and no login beside it is the page.
    const isSeen = isShown || (heading === '' && !isHidden && !isElsewhere && !seen.hasPasswordField);
    return isSeen
      ? contradiction('The page can be seen without a session.')
      : notTold('Whether the page or a login is shown to somebody without a session cannot be told.');
  }
  return {
    expectations: [
      place(witnessed, 'specified'),
      ...(heading !== '' && !isShown
        ? [{ do: 'expectNoText' as const, text: heading, oracle: 'specified' as const }]
        : []),
      ...tellingLines(twice(witnessed))
        .filter((text) => heading === '' || !text.includes(heading))
        .slice(0, 2)
        .map((text) => says(text)),
    ],
  };
}

/** Whether an address is still the one that was opened: what was added to it leads nowhere else. */
function isSamePage(entry: string, now: string): boolean {
  const [from, to] = [URL.parse(entry, now), URL.parse(now)];
  if (!from || !to) return false;
  const path = ({ pathname, hash }: URL) => pathname.replace(/\/+$/, '') + (/^#[!/]/.test(hash) ? hash : '');
  const isKept = [...from.searchParams].every(([name, value]) => to.searchParams.get(name) === value);
  return from.origin === to.origin && path(from) === path(to) && isKept;
}
