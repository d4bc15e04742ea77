import * as z from 'zod';
import type { Ladder } from '../../../platform/page/page-model.ts';
import { rung } from '../../scan/use-case-evidence.ts';
import { secretNamesIn } from '../../secrets/secret-placeholders.ts';

const text = z.string().max(10_000);
/** What a page says or does not say: every page says nothing. */
const nonEmptyText = text.regex(/\S/, 'must not be empty');

/** An element: what a person calls it, and how it is found, best way first. */
const elementTarget = z.strictObject({ name: text, ladder: z.array(rung).min(1).max(10) });
export interface ElementTarget {
  name: string;
  ladder: Ladder;
}

/** What an expectation rests on: the site's own constraints or a requirement, or no more than what was seen. */
const expectationOracles = ['specified', 'observed'] as const;
export type ExpectationOracle = (typeof expectationOracles)[number];
const oracle = z.enum(expectationOracles).default('observed');

export const validityFlags = [
  'valueMissing',
  'tooShort',
  'tooLong',
  'typeMismatch',
  'patternMismatch',
  'rangeUnderflow',
  'rangeOverflow',
  'stepMismatch',
  'badInput',
  'customError',
] as const;

/** A path below the base URL (`/login`), or a whole address. Files of the machine that replays it are neither. */
const address = z
  .string()
  .max(4000)
  .refine((text) => /^https?:$/.test(URL.parse(text, 'http://base.example')?.protocol ?? ''), {
    error: 'must be a path, or an address that begins with http:// or https://',
  });
export const writingMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const methods = ['GET', ...writingMethods] as const;
const method = z.enum(methods);

/** What comes after it is done and looked at in the tab that it opens. */
const opensTab = z.literal(true).exactOptional();
/** It closes its tab: what comes after it is done and looked at in the one before. */
const closesTab = z.literal(true).exactOptional();

/** What a user does. Values may hold {{unique}}; a secret stands there by its name. */
const actions = [
  z.strictObject({ do: z.literal('goto'), url: address }),
  z.strictObject({ do: z.literal('fill'), on: elementTarget, value: text }),
  z.strictObject({ do: z.literal('fillSecret'), on: elementTarget, secret: z.string().min(1).max(255) }),
  /** Key by key, for what cannot be set at once. */
  z.strictObject({ do: z.literal('type'), on: elementTarget, value: text }),
  /** By the option's label, or else its value. */
  z.strictObject({ do: z.literal('select'), on: elementTarget, options: z.array(text).max(100) }),
  /** `hidden`: the element itself is invisible, only its label is shown. It gets an event instead of a click. */
  z.strictObject({
    do: z.literal('check'),
    on: elementTarget,
    checked: z.boolean(),
    hidden: z.boolean().default(false),
  }),
  /** `confirms`: what the page asks before it does so is answered with yes. */
  z.strictObject({
    do: z.literal('click'),
    on: elementTarget,
    times: z.number().int().min(1).max(3).default(1),
    confirms: z.literal(true).exactOptional(),
    /** The forms of the page are kept from checking what is sent. */
    unchecked: z.literal(true).exactOptional(),
    opensTab,
    closesTab,
  }),
  z.strictObject({ do: z.literal('press'), on: elementTarget, key: z.string().min(1).max(50), opensTab, closesTab }),
  z.strictObject({
    do: z.literal('upload'),
    on: elementTarget,
    file: z.strictObject({ name: z.string().min(1).max(255), type: z.string().max(255), content: text }),
  }),
  z.strictObject({ do: z.literal('reload') }),
  z.strictObject({ do: z.literal('back') }),
] as const;

/** What a page lists, by role: the rows of its table, else its articles, else the items of its lists. */
export const listedRoleSelectors = { row: 'tbody tr', article: 'article, [role=article]', listitem: 'li' } as const;
export type ListedRole = keyof typeof listedRoleSelectors;
export const listedRoles = ['row', 'article', 'listitem'] as const satisfies ListedRole[];

/** Its components and frames are read too, as far as they are open. */
const includesFrames = z.literal(true).exactOptional();

/** What must hold afterwards. Each waits until it does, or its time is up. */
const expectations = [
  /** `*` stands for any characters within a part of the path. */
  z.strictObject({ do: z.literal('expectUrl'), path: address, oracle }),
  z.strictObject({ do: z.literal('expectVisible'), on: elementTarget, oracle }),
  /** Somewhere in the text that can be seen; white space counts once. */
  z.strictObject({ do: z.literal('expectText'), text: nonEmptyText, inParts: includesFrames, oracle }),
  z.strictObject({ do: z.literal('expectNoText'), text: nonEmptyText, inParts: includesFrames, oracle }),
  /** In an alert of the browser since the last action. */
  z.strictObject({ do: z.literal('expectDialog'), text: nonEmptyText, oracle }),
  /** Since the last thing that was done: a file of this name arrived (`*` for any characters), is not empty, and begins so. */
  z.strictObject({
    do: z.literal('expectDownload'),
    file: z.string().max(255).regex(/\S/, 'must not be empty'),
    begins: nonEmptyText.max(500).exactOptional(),
    oracle,
  }),
  z.strictObject({ do: z.literal('expectValue'), on: elementTarget, value: text, oracle }),
  z.strictObject({ do: z.literal('expectInvalid'), on: elementTarget, flag: z.enum(validityFlags).optional(), oracle }),
  /** It cannot be clicked, as the button of a form that is not filled in rightly yet. */
  z.strictObject({ do: z.literal('expectDisabled'), on: elementTarget, oracle }),
  /** How many elements of a role the main part of the page shows. */
  z.strictObject({
    do: z.literal('expectCount'),
    role: z.enum(['row', 'listitem', 'article', 'heading', 'link', 'option']),
    count: z.number().int().min(0).max(10_000),
    oracle,
  }),
  /** The main part of the page lists something, and each of it has these words, in capitals or not. */
  z.strictObject({
    do: z.literal('expectEach'),
    role: z.enum(listedRoles),
    text: text.regex(/[\p{L}\p{N}]/u, 'must hold a letter or a digit'),
    /** Parts of words count, too. */
    partly: z.literal(true).exactOptional(),
    oracle,
  }),
  /** Since the page was opened: sent, and answered without an error; exactly so often, where it says how often. */
  z.strictObject({
    do: z.literal('expectRequest'),
    method,
    path: address,
    times: z.number().int().min(1).max(100).exactOptional(),
    oracle,
  }),
  /** The method `*`: since the last thing that was done, nothing was sent to the site that writes, wherever to. */
  z.strictObject({ do: z.literal('expectNoRequest'), method: z.enum([...methods, '*']), path: address, oracle }),
  /** No answer of the site above 499, no uncaught error in the page. */
  z.strictObject({ do: z.literal('expectNoErrors'), oracle }),
] as const;

const step = z.discriminatedUnion('do', [...actions, ...expectations]);
export type ScriptStep = z.output<typeof step>;
export type ScriptAction = Extract<ScriptStep, { do: (typeof actions)[number]['shape']['do']['value'] }>;
export type ScriptExpectation = Exclude<ScriptStep, ScriptAction>;

export type EachExpectation = Extract<ScriptExpectation, { do: 'expectEach' }>;

const MAX_STEPS = 200;
export const scriptSteps = z.array(step).min(1).max(MAX_STEPS);

export const isExpectation = (one: ScriptStep): one is ScriptExpectation => one.do.startsWith('expect');

/** Secrets that a script fills in, or that its addresses and locators name, each once, by name. */
export function secretNamesOf(script: readonly ScriptStep[]): string[] {
  const filled = script.flatMap((one) => (one.do === 'fillSecret' ? [one.secret] : []));
  return [...new Set([...filled, ...secretNamesIn(script)])];
}

/** Whether something is listed, and each of it has these words, one after the other, in capitals or not. */
export function isInEach(
  items: readonly string[],
  { text, partly }: Pick<EachExpectation, 'text' | 'partly'>,
): boolean {
  return items.length > 0 && items.every((item) => hasWords(item, text, partly));
}

/** In capitals or not, one after the other. */
export function hasWords(text: string, words: string, partly = false): boolean {
  const plain = (one: string) =>
    ` ${
      one
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(' ') ?? ''
    } `;
  return plain(text).includes(partly ? plain(words).trim() : plain(words));
}

/** A path as a pattern for the address of a page. The query counts only where the path has one; `/x?` has none at all. */
export function pathPattern(path: string): RegExp {
  const source = withWildcards(path.replace(/^([^?]*)\?$/, '$1'), '[^/?#]');
  return new RegExp(`^${source}${path.includes('?') ? '' : '(?:\\?[^#]*)?'}(?:#.*)?$`);
}

/** The name of a file as a pattern. */
export function filePattern(file: string): RegExp {
  return new RegExp(`^${withWildcards(file, '[^]')}$`);
}

/** What a file begins with, whatever white space comes before it. */
export function beginningPattern(begins: string): RegExp {
  return new RegExp(`^\\s*${escaped(begins)}`);
}

/** The part of an address that a script compares: without its origin if that is the script's own. */
export function pathWithin(url: string, baseUrl: string): string {
  const parsed = URL.parse(url);
  const base = URL.parse(baseUrl);
  if (!parsed || parsed.origin !== base?.origin) return url;
  return `${parsed.pathname}${parsed.search}${parsed.hash}`;
}

/** Whether a request changes something at the site, or at a server of the same domain, as an interface of its own is. */
export function isWriteRequest({ method: how, path }: { method: string; path: string }, baseUrl: string): boolean {
  const domain = (url: string) => URL.parse(url, baseUrl)?.hostname.split('.').slice(-2).join('.');
  return writingMethods.some((one) => one === how) && domain(path) === domain(baseUrl);
}

/** Each piece between two wildcards is taken where it comes first, for good: however many there are, it is over soon. */
function withWildcards(text: string, any: string): string {
  const [first = '', ...rest] = text.split('*').map(escaped);
  const last = rest.pop();
  const between = rest.map((piece, i) => `(?=(${any}*?${piece}))\\${i + 1}`).join('');
  return last === undefined ? first : `${first}${between}${any}*${last}`;
}

function escaped(piece: string): string {
  return piece.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
