import { quote } from '../../platform/errors.ts';
import type { SentRequest } from '../replay/traffic.ts';
import { isWriting } from './model.ts';
import type { Line, Observation } from './observe.ts';
import { generic } from './texts.ts';
import type { Witnessed } from './witnessed.ts';
import { type Chosen, contradiction, notTold } from './written.ts';

/** The form was sent: the looks before and after, and what the page asked for in between. */
export interface Sending {
  before: Observation | undefined;
  after: Observation;
  requests: readonly SentRequest[];
}

/** What a plan does after the form was sent, as a reload, is not part of it. */
export function sendingOf({ plan, draft, sent }: Witnessed): Sending {
  const at = draft.points.length - 1 - plan.after.length;
  const [earlier, point] = [draft.points[at - 1], draft.points[at]];
  if (!point) throw new Error('a draft without a look at the page');
  if (plan.after.length === 0)
    return { before: draft.before, after: point.seen, requests: sent.slice(draft.requestsBefore) };
  return { before: earlier?.seen, after: point.seen, requests: sent.slice(earlier?.requests ?? 0, point.requests) };
}

/**
 * The form stands there again and holds what was entered: most often it was not taken, whatever the answer is called. Where
 * the page says that something is wrong, it was refused; where it says something that may mean either, it is not told.
 */
export function askedAgain(witnessed: Witnessed, { before, after, requests }: Sending): Chosen | undefined {
  const written = requests.filter((one) => isWriting(one, witnessed.baseUrl));
  const isAnswer = requests.findLast(({ opensPage }) => opensPage)?.method === 'POST';
  const isSamePage = before !== undefined && pageOf(before.url) === pageOf(after.url);
  if (written.length === 0 || !(isSamePage || isAnswer) || !isHeld(witnessed, after)) return undefined;
  const known = new Set([...(before?.lines.map(({ text }) => text) ?? []), ...after.names]);
  const fresh = after.lines.filter(({ text }) => !known.has(text));
  const isError = (written.at(-1)?.status ?? 0) >= 400;
  const complaint = fresh.find(({ tone }) => tone === 'wrong') ?? (isError ? fresh[0] : undefined);
  if (complaint) return refusedWith(complaint);
  // A script may leave the form as it was, and so may a page that is opened anew and shows what is kept.
  if (!isAnswer || fresh.length === 0 || fresh.some(isGoodNews)) return undefined;
  const named = fresh.find((line) => namesField(witnessed, line));
  return named
    ? refusedWith(named)
    : notTold('The page shows the form again with what was entered: whether it was taken cannot be told.');
}

function refusedWith({ text }: Line): Chosen {
  return contradiction(
    `The page shows the form again with what was entered, where its constraints are kept, and says ${quote(text, 200)}.`,
  );
}

function pageOf(url: string): string {
  return url.split(/[?#]/)[0] ?? url;
}

/** What was entered stands in the fields still, in none of them nothing. */
function isHeld({ plan, uniques }: Witnessed, { held }: Observation): boolean {
  const entered = Object.entries(plan.values).filter(([key, value]) => value !== '' && held[key] !== undefined);
  const isSame = ([key, value]: [string, string]) => generic(held[key] ?? '', uniques[0]) === value;
  return entered.some(isSame) && entered.every(([key]) => held[key] !== '');
}

const good = /\b(thank|thanks|saved|success\w*|updated|received|registered|created|sent|added|gespeichert|danke)\b/i;
const bad = /\b(not|no|cannot|could|fail\w*|error\w*|invalid|wrong|must|nicht)\b/i;

function isGoodNews({ text, live, heading, tone }: Line): boolean {
  return live || heading || tone === 'right' || (good.test(text) && !bad.test(text));
}

/** It is about a field, and not about what was entered in it. */
function namesField({ plan, evidence, uniques }: Witnessed, { text }: Line): boolean {
  const said = generic(text, uniques[0]);
  if (Object.values(plan.values).some((value) => value.length > 2 && said.includes(value))) return false;
  return (evidence.form?.fields ?? []).some(
    ({ label }) => label.length > 2 && said.toLowerCase().includes(label.toLowerCase()),
  );
}
