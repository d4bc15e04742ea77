import { quote } from '../../platform/errors.ts';
import type { SentRequest } from '../replay/traffic.ts';
import { isWriting } from './model.ts';
import { isListed, type Line, type Observation } from './observe.ts';
import { generic } from './texts.ts';
import type { Witnessed } from './witnessed.ts';
import { type Chosen, contradiction, notCarriedOut, notTold } from './written.ts';

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
 * The form stands there again: where it holds what was entered, it was most often not taken, whatever the answer is called.
 * Where the page says that something is wrong, it was refused; where it says something that may mean either, it is not told.
 */
export function askedAgain(witnessed: Witnessed, sending: Sending): Chosen | undefined {
  const { before, after, requests } = sending;
  const written = requests.filter((one) => isWriting(one, witnessed.baseUrl));
  const isAnswer = requests.findLast(({ opensPage }) => opensPage)?.method === 'POST';
  const isSamePage = before !== undefined && pageOf(before.url) === pageOf(after.url);
  if (!(isSamePage || isAnswer) || !isShown(witnessed, after)) return undefined;
  const fresh = freshLines(sending);
  if (written.length === 0) return notSent(witnessed, sending, fresh);
  const isWhole = isHeld(witnessed, after);
  const isError = (written.at(-1)?.status ?? 0) >= 400;
  const complaint =
    // What a server never gives back, as a password, is empty then, and so may be what it does not like.
    fresh.find(
      (line) => line.tone === 'wrong' && (isWhole || (isKept(witnessed, after) && isComplaint(witnessed, line))),
    ) ?? (isError && isWhole ? fresh[0] : undefined);
  if (complaint) return refusedWith(complaint);
  // A script may leave the form as it was, and so may a page that is opened anew and shows what is kept.
  if (!isWhole || !isAnswer || fresh.length === 0 || fresh.some(isGoodNews)) return undefined;
  const named = fresh.find((line) => namesField(witnessed, line));
  return named
    ? refusedWith(named)
    : notTold('The page shows the form again with what was entered: whether it was taken cannot be told.');
}

function freshLines({ before, after }: Sending): Line[] {
  const known = new Set([...(before?.lines.map(({ text }) => text) ?? []), ...after.names]);
  return after.lines.filter(({ text }) => !known.has(text));
}

/** A script kept it from being sent, and says why: that is what it asks for, which nobody knew to fill in. What was entered stays. */
function notSent(witnessed: Witnessed, { after, requests }: Sending, fresh: readonly Line[]): Chosen | undefined {
  const isOver = requests.some(({ opensPage, method }) => opensPage || method !== 'GET');
  if (isOver || isListed(witnessed.evidence) || !isKept(witnessed, after)) return undefined;
  const isCalledOut = ({ text, tone, spoken }: Line) => tone === 'wrong' || spoken || after.alerts.includes(text);
  const complaint = fresh.find((line) => isCalledOut(line) && isComplaint(witnessed, line));
  return complaint && notCarriedOut(`Nothing was sent, and the page says ${quote(complaint.text, 200)}.`);
}

function refusedWith({ text }: Line): Chosen {
  return contradiction(`The page shows the form again, where its constraints are kept, and says ${quote(text, 200)}.`);
}

function pageOf(url: string): string {
  return url.split(/[?#]/)[0] ?? url;
}

/** A field of the form can be seen. */
function isShown({ plan }: Witnessed, { fields, held }: Observation): boolean {
  return Object.keys({ ...plan.values, ...plan.secrets }).some((key) => fields.includes(key) || key in held);
}

/** Something of what was entered stands in the fields still. */
function isKept({ plan, uniques }: Witnessed, { held }: Observation): boolean {
  return Object.entries(plan.values).some(
    ([key, value]) => value !== '' && generic(held[key] ?? '', uniques[0]) === value,
  );
}

/** What was entered stands in the fields still, in none of them nothing. */
function isHeld({ plan, uniques }: Witnessed, { held }: Observation): boolean {
  const entered = Object.entries(plan.values).filter(([key, value]) => value !== '' && held[key] !== undefined);
  const isSame = ([key, value]: [string, string]) => generic(held[key] ?? '', uniques[0]) === value;
  return entered.some(isSame) && entered.every(([key]) => held[key] !== '');
}

const good = /\b(thank|thanks|saved|success\w*|updated|received|registered|created|sent|added|gespeichert|danke)\b/i;
const bad = /\b(not|no|cannot|could|fail\w*|error\w*|invalid|wrong|must|nicht)\b/i;
const asking =
  /\b(please|required|missing|weak|short|long|least|incorrect|correct|already|taken|expired|choose|select|bitte)\b/i;

/** It says that something is missing or wrong. */
function isComplaint(witnessed: Witnessed, line: Line): boolean {
  if (good.test(line.text) && !bad.test(line.text)) return false;
  return bad.test(line.text) || asking.test(line.text) || namesField(witnessed, line);
}

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
