import type { Locator, Page } from 'playwright-core';
import { Failure, quote } from '../../errors.ts';
import type { BatchReading } from '../act/control-request.ts';
import { type ElementFacts, factsInPage } from '../in-page/element-facts.ts';
import type { PageTarget } from '../in-page/mark-tools.ts';
import type { ControlKind, Ladder, Rung } from '../page-model.ts';
import { createRestDetector, isContextLostError, PAGE_POLL_MS, waitForChange } from '../settle/settle.ts';
import { evaluateWithTools, findFrame, type InPageTools, identityRung, toPageTarget } from './element-target.ts';
import { plainSelector, rungToSelector } from './rung-selector.ts';

/** Where a rung leads on a page, which may be nowhere, or to several elements. */
export function locateRung(page: Page, rung: Rung): Locator {
  return page.locator(rungToSelector(rung));
}

/** What must be true of an element for it to be the one that was meant. Undefined: not known. */
export interface ElementIdentity {
  kind?: ControlKind | undefined;
  /** Role and accessible name together; where they are not said, a rung of the ladder may know them. */
  role?: string | undefined;
  name?: string | undefined;
}

export interface FoundElement {
  locator: Locator;
  /** Which rung led to it, from 0. */
  rung: number;
  /** The first rung did not lead to it. */
  healed: boolean;
  facts: ElementFacts;
  /** Where it is for the page's own means, if they found it. */
  target?: PageTarget;
  /** What the control holds now; set by whoever set it, in the form in which they told what they read back. */
  read?(): Promise<string>;
  /** How it is read together with others of its page. */
  again?: BatchReading;
}

export interface FindElementOptions {
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  /** How many requests may still change the page: where it is known, a page at rest is not waited for any longer. */
  pending?: (() => number) | undefined;
}

/** Why a rung was not followed. */
interface RungMiss {
  selector: string;
  why: 'none' | 'many' | 'another' | 'unproven';
}

/**
 * The one element that a ladder means, as soon as it is there. Every rung must lead to it alone, and to an element of the
 * right kind; where role and name are known (said, or by a rung of the ladder), to one of that role and name. Without
 * them only the first rung is followed: nothing would show that another leads to the same element.
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

/** The first rung, together with what proves that it leads to the right element. */
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

/** What is not displayed has no role and no name in the tree; its label says who it is. */
async function lookUnproven(page: Page, rung: Rung, who: Rung): Promise<RungLookup> {
  const locator = locateRung(page, rung);
  const facts = await readLocatorFacts(locator);
  const [only] = facts;
  if (only && facts.length === 1 && only.hiddenName !== '' && only.hiddenName === who.value)
    return { locator, facts: only };
  return facts.length > 0 ? 'another' : 'none';
}

/** The one radio button or checkbox that is not displayed, by the words of its label. */
async function lookHidden(page: Page, { by, role = '', value, frame }: Rung): Promise<RungLookup> {
  if (by !== 'role' || !['radio', 'checkbox'].includes(role)) return 'none';
  const all = locateRung(page, { by: 'css', value: `input[type=${role}]`, ...(frame && { frame }) });
  const facts = await readLocatorFacts(all);
  const named = [...facts.entries()].filter(([, { hiddenName }]) => hiddenName === value);
  const [only] = named;
  if (!only) return 'none';
  return named.length > 1 ? 'many' : { locator: all.nth(only[0]), facts: only[1] };
}

/** The same with the page's own means, which is the usual case; where they find nothing, Playwright's may. */
export async function readTargetFacts(page: Page, target: PageTarget): Promise<ElementFacts[]> {
  try {
    const frame = await findFrame(page, target.frame);
    return frame ? await evaluateWithTools(frame, factsOfMeant, target) : [];
  } catch (error) {
    if (isContextLostError(error)) return [];
    throw error;
  }
}

/** All elements that a locator leads to, at a glance. A page on its way to the next has none. */
async function readLocatorFacts(locator: Locator): Promise<ElementFacts[]> {
  try {
    return await locator.evaluateAll(factsInPage);
  } catch (error) {
    if (isContextLostError(error) || isFrameless(error)) return [];
    throw error;
  }
}

/** In the page. */
function factsOfMeant({ meant, factsOf: read }: InPageTools, target: PageTarget): ElementFacts[] {
  return read(meant(target));
}

function isFrameless(error: unknown): boolean {
  return error instanceof Error && /Failed to find frame|is not an? <?iframe/i.test(error.message);
}

function identityFor(ladder: Ladder, { role, name }: ElementIdentity): Rung | undefined {
  return role && name ? { by: 'role', role, value: name } : identityRung(ladder);
}

/** Without what is hidden: the asterisk of a label, kept from the ear, is no part of the name. */
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

/** Kinds are told apart only as far as they are set in different ways. */
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
