import { createHash } from 'node:crypto';
import {
  type FormFeatures,
  formsOnPage,
  type PageFeatures,
  pageFeatures,
  type RecordedPage,
} from '../read/page-features.ts';
import { markSiteFrame } from '../read/site-frame.ts';
import { routePath } from '../site-urls.ts';
import type { UseCaseClass } from '../use-case-classes.ts';
import type { ClickTarget, ExpectedSign, FormEvidence } from '../use-case-evidence.ts';
import type { ClassSignal, FormClassRule, PageClassRule } from './class-rules.ts';
import { formClasses } from './table/form-classes.ts';
import { pageClasses } from './table/page-classes.ts';
import { fillUseCaseText } from './use-case-text.ts';

/** Confidence from which a use case is a candidate, and from which it is a draft. */
export const CANDIDATE_FROM = 0.6;
const DRAFT_FROM = 0.35;

/** A recognised use case with the pages that show it. */
export interface RecognisedUseCase {
  class: UseCaseClass;
  identity: string;
  confidence: number;
  title: string;
  description: string;
  acceptance: FormClassRule['acceptance'];
  expected: readonly ExpectedSign[];
  signals: string[];
  form: FormEvidence | null;
  controls: ClickTarget[];
  everywhere: boolean;
  /** Best page first. */
  pages: RecordedPage[];
}

interface Sighting {
  row: FormClassRule | PageClassRule;
  score: number;
  signals: string[];
  page: RecordedPage;
  form: FormFeatures | null;
  controls: ClickTarget[];
  /** Sightings with the same key belong to the same use case. */
  key: string;
  everywhere: boolean;
}

const unknownForm: FormClassRule = {
  class: 'submit',
  title: 'Send the form “{heading}”',
  description: 'A visitor sends a form, giving {fields}.',
  signals: [],
  acceptance: [['It can be sent', 'The page confirms it']],
  expected: [{ kind: 'url-changes', value: '', basis: 'usual' }],
};

/** Finds all use cases on recorded pages, each once, most confident first. */
export function recogniseUseCases(seen: readonly RecordedPage[]): RecognisedUseCase[] {
  const pages = markSiteFrame(seen);
  const plain = pages.filter(({ opened }) => opened.length === 0);
  // A form in a closed dialog is in the document but not visible.
  const seenAtOnce = ({ shown, form }: FormFeatures) => shown.length > 0 || form.fields.length === 0;
  const own = new Set(plain.flatMap((page) => formsOnPage(page).filter(seenAtOnce).map(formIdentity)));
  const sightings = pages.flatMap((page) => {
    const facts = pageFeatures(page);
    // An expanded page contributes only forms that the plain page does not show.
    const forms = page.opened.length > 0 ? facts.forms.filter((form) => !own.has(formIdentity(form))) : facts.forms;
    return [...forms.flatMap(classifyForm), ...classifyPage(facts)];
  });
  const groups = Map.groupBy(sightings, ({ key }) => key);
  const found = [...groups.values()].map((group) => mergeSightings(group, pages.length));
  return onePerPage(found).sort((a, b) => b.confidence - a.confidence);
}

/** Identifies a form on pages with the same template. */
function formIdentity({ form: { method, action, fields }, submitWords }: FormFeatures): string {
  return JSON.stringify([method, action, fields.map(({ key }) => key), submitWords]);
}

function sumSignals<Facts>(signals: readonly ClassSignal<Facts>[], facts: Facts): { score: number; signals: string[] } {
  const holding = signals.filter((signal) => signal.applies(facts));
  const sum = holding.reduce((total, { weight }) => total + weight, 0);
  return {
    score: Math.min(0.99, Math.round(sum * 100) / 100),
    signals: [...new Set(holding.filter(({ weight }) => weight > 0).map(({ describe }) => describe(facts)))],
  };
}

/** Returns the best exclusive class, or all likely shared classes. */
function classifyForm(facts: FormFeatures): Sighting[] {
  const all = formClasses.map((row) => ({ row, ...sumSignals(row.signals, facts) }));
  const likely = all.filter(({ score }) => score >= DRAFT_FROM).sort((a, b) => b.score - a.score);
  const [best] = likely;
  const chosen = best?.row.shares ? likely.filter(({ row }) => row.shares) : likely.slice(0, 1);
  const isAsked = facts.form.method === 'post' && facts.shown.length > 0;
  if (chosen.length === 0 && isAsked) chosen.push({ row: unknownForm, score: DRAFT_FROM, signals: ['a form'] });
  return chosen.map(({ row, score, signals }) => ({
    ...{ row, score, signals, page: facts.page, form: facts },
    controls: [],
    key: `${row.class} ${facts.form.method} ${actionTemplate(facts) || facts.shown.map(({ key }) => key).join(',')}`,
    everywhere: false,
  }));
}

function classifyPage(facts: PageFeatures): Sighting[] {
  const { page } = facts;
  // An expanded page is only about what it opened.
  if (page.opened.length > 0) return [];
  return pageClasses.flatMap((row) => {
    const { score, signals } = sumSignals(row.signals, facts);
    if (score < DRAFT_FROM) return [];
    const everywhere = row.everywhere === true;
    const key = `${row.class} ${everywhere ? '*' : page.state.template}`;
    return [{ row, score, signals, page, form: null, controls: row.controls(facts), key, everywhere }];
  });
}

/** Action of a form, with `:id` where the path of its page varies. */
function actionTemplate({ form: { action }, page: { state } }: FormFeatures): string {
  const url = URL.parse(state.url);
  const path = url ? routePath(url) : '';
  return path.length > 1 && action.startsWith(path) ? state.template + action.slice(path.length) : action;
}

function mergeSightings(group: readonly Sighting[], total: number): RecognisedUseCase {
  const action = (sighting: Sighting) => (sighting.form ? actionTemplate(sighting.form) : '');
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
  return { ...describeSighting(best, everywhere), everywhere, pages };
}

function describeSighting({ row, score, signals, page, form, controls, key }: Sighting, everywhere: boolean) {
  const { template, heading } = page.state;
  const fields = (form?.form.fields ?? [])
    .filter(({ kind }) => kind !== 'hidden')
    .map(({ label, key: name }) => label || name);
  const words = { template: everywhere ? '/' : template, heading, fields };
  // An expanded page is named by its dialog.
  const [dialog] = page.opened.length > 0 ? page.reading.dialogs : [];
  return {
    class: row.class,
    identity: createHash('sha256')
      .update(`${key} ${everywhere ? '*' : template}`)
      .digest('hex')
      .slice(0, 24),
    confidence: score,
    title:
      dialog?.name ||
      fillUseCaseText(row.title, words).replace('Search the list', everywhere ? 'Search the site' : 'Search'),
    description: fillUseCaseText(row.description, words),
    acceptance: row.acceptance,
    expected: row.expected,
    signals,
    form: form?.form ?? null,
    controls: controls.slice(0, 30),
  };
}

/** Keeps one use case per page for classes such as sort and delete. */
function onePerPage(found: readonly RecognisedUseCase[]): RecognisedUseCase[] {
  const once: readonly UseCaseClass[] = ['sort', 'filter', 'delete', 'logout', 'language', 'login', 'search'];
  const locationOf = ({ everywhere, pages }: RecognisedUseCase) =>
    everywhere ? '*' : (pages[0]?.state.template ?? '');
  const groups = Map.groupBy(found, (one) =>
    once.includes(one.class) ? `${one.class} ${locationOf(one)}` : one.identity,
  );
  return [...groups.values()].flatMap((group) => group.toSorted((a, b) => b.confidence - a.confidence).slice(0, 1));
}

function onePerTemplate(pages: readonly RecordedPage[]): RecordedPage[] {
  return [...new Map(pages.toReversed().map((page) => [page.state.template, page])).values()].reverse();
}

/** Score of a form for one class. */
export function scoreFormAs(name: UseCaseClass, facts: FormFeatures): number {
  const row = formClasses.find((each) => each.class === name);
  return row ? sumSignals(row.signals, facts).score : 0;
}
