import type { Locator, Page } from 'playwright-core';
import { Failure, quote } from '../../errors.ts';
import type { BatchReading } from '../act/control-request.ts';
import { type ElementFacts, factsInPage } from '../in-page/element-facts.ts';
import type { PageTarget } from '../in-page/mark-tools.ts';
import type { ControlKind, Ladder, Rung } from '../page-model.ts';
import { createRestDetector, isContextLostError, PAGE_POLL_MS, waitForChange } from '../settle/settle.ts';
import { evaluateWithTools, findFrame, type InPageTools, identityRung, toPageTarget } from './element-target.ts';
import { plainSelector, rungToSelector } from './rung-selector.ts';

/** The elements that a rung finds on a page: none, one or several. */
export function locateRung(page: Page, rung: Rung): Locator {
  return page.locator(rungToSelector(rung));
}

/** Properties that an element must have to be the wanted one. Undefined: unknown. */
export interface ElementIdentity {
  kind?: ControlKind | undefined;
  /** Role and accessible name. If they are not given, a rung of the ladder may contain them. */
  role?: string | undefined;
  name?: string | undefined;
}

export interface FoundElement {
  locator: Locator;
  /** Index of the rung that found the element, from 0. */
  rung: number;
  /** The first rung did not find the element. */
  healed: boolean;
  facts: ElementFacts;
  /** Selector for functions in the page, if they found the element. */
  target?: PageTarget;
  /** The value that was read back after the control was set, in the format of its setter. */
  read?(): Promise<string>;
  /** How the control is read together with others of its page. */
  again?: BatchReading;
}

export interface FindElementOptions {
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  /** Number of requests that may still change the page. If it is known, no more time is spent on a page at rest. */
  pending?: (() => number) | undefined;
}

/** Why a rung was not used. */
interface RungMiss {
  selector: string;
  why: 'none' | 'many' | 'another' | 'unproven';
}

/**
 * Waits for the one element that a ladder describes. Every rung must find it alone, and it must be of the right kind.
 * If role and name are known, given or from a rung, they must match. Otherwise only the first rung is used, because
 * nothing proves that another one finds the same element.
 */
export async function findByLadder(
  page: Page,
  ladder: Ladder,
  identity: ElementIdentity = {},
  { timeoutMs = 5_000, signal, pending }: FindElementOptions = {},
): Promise<FoundElement> {
  const who = identityFor(ladder, identity);
  const deadline = performance.now() + timeoutMs;
  const rest = createRestDetector(pending);
  for (let isOver = false; ; ) {
    signal?.throwIfAborted();
    const looked = await lookUpLadder(page, ladder, who, identity.kind);
    if ('locator' in looked) return looked;
    const left = deadline - performance.now();
    if (isOver || left <= 0 || page.isClosed()) throw notFound(identity, looked);
    isOver = rest.isAtRest(await waitForChange(page, Math.min(left, PAGE_POLL_MS)));
  }
}

async function lookUpLadder(
  page: Page,
  ladder: Ladder,
  who: Rung | undefined,
  kind: ControlKind | undefined,
): Promise<FoundElement | RungMiss[]> {
  const misses: RungMiss[] = [];
  for (const [index, rung] of ladder.entries()) {
    if (index > 0 && !who) {
      misses.push({ selector: rungToSelector(rung), why: 'unproven' });
      continue;
    }
    const looked = await lookUpRung(page, rung, who, kind);
    if (typeof looked === 'object') return { ...looked, rung: index, healed: index > 0 };
    misses.push({ selector: rungToSelector(rung), why: looked });
  }
  return misses;
}

/** The first rung, combined with the properties that prove the right element. */
export function firstLocator(page: Page, ladder: Ladder): Locator | undefined {
  const [rung] = ladder;
  return rung && provenLocator(page, rung, identityRung(ladder)).locator;
}

function provenLocator(
  page: Page,
  rung: Rung,
  who: Rung | undefined,
): { locator: Locator; provedBy: Rung | undefined } {
  const isProof = !who || (rung.by === who.by && rung.value === who.value && rung.role === who.role);
  if (isProof) return { locator: locateRung(page, rung), provedBy: undefined };
  return { locator: page.locator(`${rungToSelector(rung)} >> internal:and=${proof(who)}`), provedBy: who };
}

type RungLookup = Pick<FoundElement, 'locator' | 'facts' | 'target'> | RungMiss['why'];

async function lookUpRung(
  page: Page,
  rung: Rung,
  who: Rung | undefined,
  kind: ControlKind | undefined,
): Promise<RungLookup> {
  const { locator, provedBy } = provenLocator(page, rung, who);
  const target = toPageTarget(rung, who);
  const [only, ...twins] = target ? await readTargetFacts(page, target) : [];
  if (only && target && twins.length === 0)
    return kind && !isOfKind(only.kind, kind) ? 'another' : { locator, facts: only, target };
  const facts = await readLocatorFacts(locator);
  const [first] = facts;
  if (facts.length > 1) return 'many';
  if (!first) return provedBy ? lookUnproven(page, rung, provedBy) : lookHidden(page, rung);
  return kind && !isOfKind(first.kind, kind) ? 'another' : { locator, facts: first };
}

/** An element that is not displayed has no role and name in the accessibility tree; its label identifies it. */
async function lookUnproven(page: Page, rung: Rung, who: Rung): Promise<RungLookup> {
  const locator = locateRung(page, rung);
  const facts = await readLocatorFacts(locator);
  const [only] = facts;
  if (only && facts.length === 1 && only.hiddenName !== '' && only.hiddenName === who.value)
    return { locator, facts: only };
  return facts.length > 0 ? 'another' : 'none';
}

/** The one radio button or checkbox that is not displayed, by the text of its label. */
async function lookHidden(page: Page, { by, role = '', value, frame }: Rung): Promise<RungLookup> {
  if (by !== 'role' || !['radio', 'checkbox'].includes(role)) return 'none';
  const all = locateRung(page, { by: 'css', value: `input[type=${role}]`, ...(frame && { frame }) });
  const facts = await readLocatorFacts(all);
  const named = [...facts.entries()].filter(([, { hiddenName }]) => hiddenName === value);
  const [only] = named;
  if (!only) return 'none';
  return named.length > 1 ? 'many' : { locator: all.nth(only[0]), facts: only[1] };
}

/** The usual case: the same by functions in the page. If they find nothing, Playwright may. */
export async function readTargetFacts(page: Page, target: PageTarget): Promise<ElementFacts[]> {
  try {
    const frame = await findFrame(page, target.frame);
    return frame ? await evaluateWithTools(frame, factsOfMeant, target) : [];
  } catch (error) {
    if (isContextLostError(error)) return [];
    throw error;
  }
}

/** Facts of all elements that a locator finds, read in one call. A page that is being replaced has none. */
async function readLocatorFacts(locator: Locator): Promise<ElementFacts[]> {
  try {
    return await locator.evaluateAll(factsInPage);
  } catch (error) {
    if (isContextLostError(error) || isFrameless(error)) return [];
    throw error;
  }
}

/** Runs in the page. */
function factsOfMeant({ meant, factsOf: read }: InPageTools, target: PageTarget): ElementFacts[] {
  return read(meant(target));
}

function isFrameless(error: unknown): boolean {
  return error instanceof Error && /Failed to find frame|is not an? <?iframe/i.test(error.message);
}

function identityFor(ladder: Ladder, { role, name }: ElementIdentity): Rung | undefined {
  return role && name ? { by: 'role', role, value: name } : identityRung(ladder);
}

/** Ignores hidden parts: the asterisk of a label with aria-hidden is no part of the name. */
function proof(who: Rung): string {
  return JSON.stringify(plainSelector(who));
}

const families: readonly (readonly ControlKind[])[] = [
  [
    'text',
    'number',
    'email',
    'tel',
    'url',
    'search',
    'password',
    'textarea',
    'rich-text',
    'typeahead',
    'date',
    'time',
    'datetime',
    'month',
    'week',
    'range',
    'colour',
  ],
  ['select', 'multi-select', 'listbox', 'typeahead'],
  ['radio', 'radio-group'],
  ['checkbox', 'checkbox-group', 'switch'],
  ['file'],
  ['button', 'submit', 'reset', 'link', 'tab', 'menu-item'],
];

/** Distinguishes kinds only as far as they are set in different ways. */
function isOfKind(kind: ControlKind | undefined, wanted: ControlKind): boolean {
  return kind === wanted || families.some((family) => kind && family.includes(kind) && family.includes(wanted));
}

const whys: Record<RungMiss['why'], string> = {
  none: 'leads nowhere',
  many: 'leads to several elements',
  another: 'leads to another element',
  unproven: 'cannot be proven to lead to the same element',
};

function notFound({ name }: ElementIdentity, misses: readonly RungMiss[]): Failure {
  const what = name ? `The element ${quote(name)}` : 'The element';
  const tried = misses.map(({ selector, why }) => `${quote(selector)} ${whys[why]}`).join('; ');
  const any = (why: RungMiss['why']) => misses.some((miss) => miss.why === why);
  const code = any('another') ? 'ELEMENT_CHANGED' : any('many') ? 'ELEMENT_AMBIGUOUS' : 'ELEMENT_NOT_FOUND';
  const message = `${what} was not found: ${tried || 'there is no way to it'}.`;
  return new Failure('not_found', code, message, { misses });
}
