import { createHash } from 'node:crypto';
import { routeOf } from './addresses.ts';
import type { UseCaseClass } from './classes.ts';
import type { Clickable, FormEvidence, Sign } from './evidence.ts';
import { type FormFacts, factsOf, formsOn, type PageFacts, type SeenPage } from './facts.ts';
import { framed } from './frame.ts';
import type { FormClass, PageClass, Signal } from './model.ts';
import { formClasses } from './table/forms.ts';
import { pageClasses } from './table/pages.ts';
import { worded } from './things.ts';

/** From here on something is a candidate; below it, down to the second, a draft; below that, nothing. */
export const CANDIDATE_FROM = 0.6;
const DRAFT_FROM = 0.35;

/** A use case that was recognised, with every page that it was seen on. */
export interface Recognised {
  class: UseCaseClass;
  identity: string;
  confidence: number;
  title: string;
  description: string;
  accepts: FormClass['accepts'];
  expected: readonly Sign[];
  signals: string[];
  form: FormEvidence | null;
  controls: Clickable[];
  everywhere: boolean;
  /** The page that it belongs to most, then the others. */
  pages: SeenPage[];
}

interface Sighting {
  row: FormClass | PageClass;
  score: number;
  signals: string[];
  page: SeenPage;
  form: FormFacts | null;
  controls: Clickable[];
  /** Sightings with the same key are of the same use case. */
  key: string;
  everywhere: boolean;
}

const unknownForm: FormClass = {
  class: 'submit',
  title: 'Send the form “{heading}”',
  description: 'Somebody sends a form, giving {fields}.',
  signals: [],
  accepts: [['It can be sent', 'The page confirms it']],
  expected: [{ kind: 'url-changes', value: '', basis: 'usual' }],
};

/** All use cases on the pages that were seen, each once. */
export function recognise(seen: readonly SeenPage[]): Recognised[] {
  const pages = framed(seen);
  const plain = pages.filter(({ opened }) => opened.length === 0);
  // A form in a dialog that is closed is there, but nobody sees it.
  const seenAtOnce = ({ shown, form }: FormFacts) => shown.length > 0 || form.fields.length === 0;
  const own = new Set(plain.flatMap((page) => formsOn(page).filter(seenAtOnce).map(looks)));
  const sightings = pages.flatMap((page) => {
    const facts = factsOf(page);
    // What a click opened adds its own forms to those that were there.
    const forms = page.opened.length > 0 ? facts.forms.filter((form) => !own.has(looks(form))) : facts.forms;
    return [...forms.flatMap(classifyForm), ...classifyPage(facts)];
  });
  const groups = Map.groupBy(sightings, ({ key }) => key);
  const found = [...groups.values()].map((group) => joined(group, pages.length));
  return onePerPage(found).sort((a, b) => b.confidence - a.confidence);
}

/** What a form looks like, to know it again on the same page. */
function looks({ form: { method, action, fields }, submitWords }: FormFacts): string {
  return JSON.stringify([method, action, fields.map(({ key }) => key), submitWords]);
}

function scored<Facts>(signals: readonly Signal<Facts>[], facts: Facts): { score: number; signals: string[] } {
  const holding = signals.filter((signal) => signal.when(facts));
  const sum = holding.reduce((total, { weight }) => total + weight, 0);
  return {
    score: Math.min(0.99, Math.round(sum * 100) / 100),
    signals: [...new Set(holding.filter(({ weight }) => weight > 0).map(({ says }) => says(facts)))],
  };
}

/** The likeliest of the classes that exclude each other, or all likely ones of those that share. */
function classifyForm(facts: FormFacts): Sighting[] {
  const all = formClasses.map((row) => ({ row, ...scored(row.signals, facts) }));
  const likely = all.filter(({ score }) => score >= DRAFT_FROM).sort((a, b) => b.score - a.score);
  const [best] = likely;
  const chosen = best?.row.shares ? likely.filter(({ row }) => row.shares) : likely.slice(0, 1);
  const isAsked = facts.form.method === 'post' && facts.shown.length > 0;
  if (chosen.length === 0 && isAsked) chosen.push({ row: unknownForm, score: DRAFT_FROM, signals: ['a form'] });
  return chosen.map(({ row, score, signals }) => ({
    ...{ row, score, signals, page: facts.page, form: facts },
    controls: [],
    key: `${row.class} ${facts.form.method} ${actionOf(facts) || facts.shown.map(({ key }) => key).join(',')}`,
    everywhere: false,
  }));
}

function classifyPage(facts: PageFacts): Sighting[] {
  const { page } = facts;
  // What a click opened is about what it opened.
  if (page.opened.length > 0) return [];
  return pageClasses.flatMap((row) => {
    const { score, signals } = scored(row.signals, facts);
    if (score < DRAFT_FROM) return [];
    const everywhere = row.everywhere === true;
    const key = `${row.class} ${everywhere ? '*' : page.state.template}`;
    return [{ row, score, signals, page, form: null, controls: row.controls(facts), key, everywhere }];
  });
}

/** Where a form is sent, with `:id` for whatever varies in the address of its page. */
function actionOf({ form: { action }, page: { state } }: FormFacts): string {
  const url = URL.parse(state.url);
  const path = url ? routeOf(url) : '';
  return path.length > 1 && action.startsWith(path) ? state.template + action.slice(path.length) : action;
}

function joined(group: readonly Sighting[], total: number): Recognised {
  const action = (sighting: Sighting) => (sighting.form ? actionOf(sighting.form) : '');
  const sorted = group.toSorted(
    (a, b) =>
      Number(action(b) === b.page.state.template) - Number(action(a) === a.page.state.template) ||
      Number(a.form?.isOff ?? false) - Number(b.form?.isOff ?? false) ||
      b.score - a.score ||
      a.page.state.template.length - b.page.state.template.length,
  );
  const [best] = sorted;
  if (!best) throw new Error('a group is never empty');
  const pages = onePerTemplate(sorted.map(({ page }) => page));
  const isFramed = best.form !== null && best.form.place !== 'main' && best.form.place !== 'dialog';
  const everywhere = best.everywhere || isFramed || (pages.length > 3 && pages.length >= total * 0.6);
  return { ...described(best, everywhere), everywhere, pages };
}

function described({ row, score, signals, page, form, controls, key }: Sighting, everywhere: boolean) {
  const { template, heading } = page.state;
  const fields = (form?.form.fields ?? [])
    .filter(({ kind }) => kind !== 'hidden')
    .map(({ label, key: name }) => label || name);
  const words = { template: everywhere ? '/' : template, heading, fields };
  // What a click opens is named by what it opens.
  const [dialog] = page.opened.length > 0 ? page.reading.dialogs : [];
  return {
    class: row.class,
    identity: createHash('sha256')
      .update(`${key} ${everywhere ? '*' : template}`)
      .digest('hex')
      .slice(0, 24),
    confidence: score,
    title:
      dialog?.name || worded(row.title, words).replace('Search the list', everywhere ? 'Search the site' : 'Search'),
    description: worded(row.description, words),
    accepts: row.accepts,
    expected: row.expected,
    signals,
    form: form?.form ?? null,
    controls: controls.slice(0, 30),
  };
}

/** A list that can be sorted in two ways is sorted once; and of two ways to delete on one page one is enough. */
function onePerPage(found: readonly Recognised[]): Recognised[] {
  const once: readonly UseCaseClass[] = ['sort', 'filter', 'delete', 'logout', 'language', 'login', 'search'];
  const place = ({ everywhere, pages }: Recognised) => (everywhere ? '*' : (pages[0]?.state.template ?? ''));
  const groups = Map.groupBy(found, (one) => (once.includes(one.class) ? `${one.class} ${place(one)}` : one.identity));
  return [...groups.values()].flatMap((group) => group.toSorted((a, b) => b.confidence - a.confidence).slice(0, 1));
}

function onePerTemplate(pages: readonly SeenPage[]): SeenPage[] {
  return [...new Map(pages.toReversed().map((page) => [page.state.template, page])).values()].reverse();
}

/** How much a form looks like one of a class. */
export function scoreAs(name: UseCaseClass, facts: FormFacts): number {
  const row = formClasses.find((each) => each.class === name);
  return row ? scored(row.signals, facts).score : 0;
}
