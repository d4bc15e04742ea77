import * as z from 'zod';
import { joinTemplates, matchesTemplate, queryVariant, routePath, urlTemplate } from '../site-urls.ts';
import { actionSegment } from '../words/url-words.ts';
import { structureSimilarity } from './page-structure.ts';

const pageState = z.object({
  template: z.string(),
  /** Number of visits. */
  visits: z.number(),
  /** Known paths of this state, visited or not. */
  addresses: z.array(z.string()),
  /** Some are list entries, not sections of the site. */
  listed: z.boolean(),
  shapes: z.array(z.array(z.string())),
  /** Signatures of its forms: a signed-in user may see more of them. */
  forms: z.array(z.string()),
  /** The visited examples are unusable, so another one is needed. */
  wanting: z.boolean(),
});
type PageStateEntry = z.output<typeof pageState>;
export const pageStatesRecord = z.object({ states: z.array(pageState), variants: z.record(z.string(), z.number()) });

const ENOUGH_VISITS = 2;
const ENOUGH_TRIES = 8;
const ENOUGH_VARIANTS = 2;
const MOST_OF_A_PATH = 5;
const MOST_ADDRESSES = 200;
const MOST_SHAPES = 4;
/** Similarity from which two list entries share a state. */
const SAME_KIND = 0.7;
/** Similarity below which the same URL shows something new. */
const SAME_CONTENT = 0.6;

/** Groups URLs into page states: a hundred products are one. */
export function createPageStates(record: z.output<typeof pageStatesRecord> = { states: [], variants: {} }) {
  const states: PageStateEntry[] = record.states;
  const variants = new Map(Object.entries(record.variants));

  function find(url: URL): PageStateEntry | undefined {
    const literal = urlTemplate(url);
    return (
      states.find(({ template }) => template === literal) ??
      states.find(
        ({ template }) => template.includes(':id') && matchesTemplate(template, literal) && !endsWithAction(literal),
      )
    );
  }

  function add(url: URL, listed: boolean): PageStateEntry {
    const state = {
      template: urlTemplate(url),
      visits: 0,
      addresses: [],
      listed,
      shapes: [],
      forms: [],
      wanting: false,
    };
    states.push(state);
    return state;
  }

  /** Registers a link. */
  function meet(url: URL, listed: boolean): void {
    const state = find(url) ?? add(url, listed);
    state.listed ||= listed;
    const address = routePath(url);
    if (state.addresses.length < MOST_ADDRESSES && !state.addresses.includes(address)) state.addresses.push(address);
  }

  /** Whether enough pages of this state were visited. */
  function isCovered(url: URL): boolean {
    const state = find(url);
    if (!state) return false;
    if (url.search !== '') {
      const [own, path] = [queryVariant(url), `${state.template}?`];
      return (variants.get(own) ?? 0) >= ENOUGH_VARIANTS || (variants.get(path) ?? 0) >= MOST_OF_A_PATH;
    }
    return state.template.includes(':id') && state.visits >= (state.wanting ? ENOUGH_TRIES : ENOUGH_VISITS);
  }

  /** Registers a visit. Returns the template and whether the page shows something new. */
  function recordPage(
    url: URL,
    shape: string[],
    listed: boolean,
    forms: readonly string[] = [],
  ): { template: string; isNew: boolean } {
    meet(url, listed);
    let state = find(url) ?? add(url, listed);
    if (state.visits === 0) state = joinedWith(state, shape) ?? state;
    state.visits++;
    if (url.search !== '') {
      const count = (key: string) => variants.set(key, (variants.get(key) ?? 0) + 1);
      count(queryVariant(url));
      count(`${state.template}?`);
    }
    const isFamiliar = state.shapes.some((known) => structureSimilarity(known, shape) >= SAME_CONTENT);
    const offersMore = forms.some((form) => !state.forms.includes(form));
    const isNew = state.shapes.length < MOST_SHAPES && (!isFamiliar || offersMore);
    if (isNew) state.shapes.push(shape);
    if (isNew) state.forms = [...new Set([...state.forms, ...forms])];
    return { template: state.template, isNew };
  }

  /** Joins similar entries of a list into one state. */
  function joinedWith(state: PageStateEntry, shape: readonly string[]): PageStateEntry | undefined {
    if (!state.listed) return undefined;
    for (const other of states) {
      const template =
        other !== state && other.listed && other.visits > 0 ? joinTemplates(other.template, state.template) : undefined;
      if (template === undefined || endsWithAction(state.template) || endsWithAction(other.template)) continue;
      if (!other.shapes.some((known) => structureSimilarity(known, shape) >= SAME_KIND)) continue;
      other.template = template;
      absorb(other);
      return other;
    }
    return undefined;
  }

  /** Merges unvisited states that match the new template. */
  function absorb(kind: PageStateEntry): void {
    for (const state of [...states]) {
      const isOne =
        state !== kind && state.visits === 0 && state.listed && matchesTemplate(kind.template, state.template);
      if (!isOne || endsWithAction(state.template)) continue;
      kind.addresses.push(...state.addresses.filter((address) => !kind.addresses.includes(address)));
      states.splice(states.indexOf(state), 1);
    }
  }

  /** Whether a state needs a better example; the second argument sets it. */
  function wants(template: string, is?: boolean): boolean {
    const state = states.find((each) => each.template === template);
    if (state && is !== undefined) state.wanting = is;
    return state?.wanting ?? false;
  }

  return {
    meet,
    wants,
    isCovered,
    place: recordPage,
    /** The current template of a URL: states may have been joined since its visit. */
    templateFor: (url: URL) => find(url)?.template ?? urlTemplate(url),
    seen: (template: string) => states.find((state) => state.template === template)?.addresses.length ?? 1,
    count: () => states.filter(({ visits }) => visits > 0).length,
    toRecord: (): z.output<typeof pageStatesRecord> => ({ states, variants: Object.fromEntries(variants) }),
  };
}

export type PageStates = ReturnType<typeof createPageStates>;

function endsWithAction(path: string): boolean {
  return actionSegment.test(path.split('/').at(-1) ?? '');
}
