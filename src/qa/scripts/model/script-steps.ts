import * as z from 'zod';
import type { Ladder } from '../../../platform/page/page-model.ts';
import { rung } from '../../scan/use-case-evidence.ts';
import { secretNamesIn } from '../../secrets/secret-placeholders.ts';

const text = z.string().max(10_000);
/** A text of the page. An empty text would be on every page. */
const nonEmptyText = text.regex(/\S/, 'must not be empty');

/** An element: its name for users, and its locators, best first. */
const elementTarget = z.strictObject({ name: text, ladder: z.array(rung).min(1).max(10) });
export interface ElementTarget {
  name: string;
  ladder: Ladder;
}

/** What an expectation is based on: constraints of the site or a requirement, or only an observation. */
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

/** A path below the base URL (`/login`), or an absolute address. Paths of local files are rejected. */
const address = z
  .string()
  .max(4000)
  .refine((text) => /^https?:$/.test(URL.parse(text, 'http://base.example')?.protocol ?? ''), {
    error: 'must be a path, or an address that begins with http:// or https://',
  });
export const writingMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const methods = ['GET', ...writingMethods] as const;
const method = z.enum(methods);

/** The step opens a tab, in which the following steps are played. */
const opensTab = z.literal(true).exactOptional();
/** The step closes its tab; the following steps are played in the one before. */
const closesTab = z.literal(true).exactOptional();

/** Actions of a user. Values may contain {{unique}}; secrets appear by name. */
const actions = [
  z.strictObject({ do: z.literal('goto'), url: address }),
  z.strictObject({ do: z.literal('fill'), on: elementTarget, value: text }),
  z.strictObject({ do: z.literal('fillSecret'), on: elementTarget, secret: z.string().min(1).max(255) }),
  /** Types key by key, for fields that cannot be set at once. */
  z.strictObject({ do: z.literal('type'), on: elementTarget, value: text }),
  /** Chooses an option by its label, or else by its value. */
  z.strictObject({ do: z.literal('select'), on: elementTarget, options: z.array(text).max(100) }),
  /** `hidden`: the element itself is invisible, only its label is shown. It gets an event instead of a click. */
  z.strictObject({
    do: z.literal('check'),
    on: elementTarget,
    checked: z.boolean(),
    hidden: z.boolean().default(false),
  }),
  /** `confirms`: accepts the dialog that the page opens. */
  z.strictObject({
    do: z.literal('click'),
    on: elementTarget,
    times: z.number().int().min(1).max(3).default(1),
    confirms: z.literal(true).exactOptional(),
    /** Disables the validation of the forms of the page. */
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

/** The entries of a page, by role: table rows, else articles, else list items. */
export const listedRoleSelectors = { row: 'tbody tr', article: 'article, [role=article]', listitem: 'li' } as const;
export type ListedRole = keyof typeof listedRoleSelectors;
export const listedRoles = ['row', 'article', 'listitem'] as const satisfies ListedRole[];

/** Components and open frames are read too. */
const includesFrames = z.literal(true).exactOptional();

/** Expectations. Each waits until it holds, or until its time limit. */
const expectations = [
  /** `*` matches any characters within a segment of the path. */
  z.strictObject({ do: z.literal('expectUrl'), path: address, oracle }),
  z.strictObject({ do: z.literal('expectVisible'), on: elementTarget, oracle }),
  /** The visible text contains this text; white space is collapsed. */
  z.strictObject({ do: z.literal('expectText'), text: nonEmptyText, inParts: includesFrames, oracle }),
  z.strictObject({ do: z.literal('expectNoText'), text: nonEmptyText, inParts: includesFrames, oracle }),
  /** A dialog of the browser since the last action had this text. */
  z.strictObject({ do: z.literal('expectDialog'), text: nonEmptyText, oracle }),
  /**
   * Since the last action, a file with this name arrived (`*` matches any characters), is not empty, and starts with
   * this text.
   */
  z.strictObject({
    do: z.literal('expectDownload'),
    file: z.string().max(255).regex(/\S/, 'must not be empty'),
    begins: nonEmptyText.max(500).exactOptional(),
    oracle,
  }),
  z.strictObject({ do: z.literal('expectValue'), on: elementTarget, value: text, oracle }),
  z.strictObject({ do: z.literal('expectInvalid'), on: elementTarget, flag: z.enum(validityFlags).optional(), oracle }),
  /** The element cannot be clicked, such as the button of an incomplete form. */
  z.strictObject({ do: z.literal('expectDisabled'), on: elementTarget, oracle }),
  /** Number of elements of a role in the main part of the page. */
  z.strictObject({
    do: z.literal('expectCount'),
    role: z.enum(['row', 'listitem', 'article', 'heading', 'link', 'option']),
    count: z.number().int().min(0).max(10_000),
    oracle,
  }),
  /** The main part of the page lists entries, and each contains these words, in any case. */
  z.strictObject({
    do: z.literal('expectEach'),
    role: z.enum(listedRoles),
    text: text.regex(/[\p{L}\p{N}]/u, 'must hold a letter or a digit'),
    /** Parts of words match too. */
    partly: z.literal(true).exactOptional(),
    oracle,
  }),
  /** Since the page was opened, the request was sent and answered without an error; exactly `times` times, if given. */
  z.strictObject({
    do: z.literal('expectRequest'),
    method,
    path: address,
    times: z.number().int().min(1).max(100).exactOptional(),
    oracle,
  }),
  /** With the method `*`: since the last action, no request that writes was sent to the site. */
  z.strictObject({ do: z.literal('expectNoRequest'), method: z.enum([...methods, '*']), path: address, oracle }),
  /** No response of the site with status 500 or more, and no uncaught error in the page. */
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

/** Names of the secrets that a script enters, or that its addresses and locators contain, without duplicates. */
export function secretNamesOf(script: readonly ScriptStep[]): string[] {
  const filled = script.flatMap((one) => (one.do === 'fillSecret' ? [one.secret] : []));
  return [...new Set([...filled, ...secretNamesIn(script)])];
}

/** Whether there are entries, and each contains these words in this order, in any case. */
export function isInEach(
  items: readonly string[],
  { text, partly }: Pick<EachExpectation, 'text' | 'partly'>,
): boolean {
  return items.length > 0 && items.every((item) => hasWords(item, text, partly));
}

/** Words in this order, in any case. */
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

/**
 * A path as a pattern for the address of a page. The query counts only if the path has one; `/x?` matches only an empty
 * query.
 */
export function pathPattern(path: string): RegExp {
  const source = withWildcards(path.replace(/^([^?]*)\?$/, '$1'), '[^/?#]');
  return new RegExp(`^${source}${path.includes('?') ? '' : '(?:\\?[^#]*)?'}(?:#.*)?$`);
}

/** A file name as a pattern. */
export function filePattern(file: string): RegExp {
  return new RegExp(`^${withWildcards(file, '[^]')}$`);
}

/** The start of a file, after leading white space. */
export function beginningPattern(begins: string): RegExp {
  return new RegExp(`^\\s*${escaped(begins)}`);
}

/** The part of an address that a script compares: without the origin if it is that of the script. */
export function pathWithin(url: string, baseUrl: string): string {
  const parsed = URL.parse(url);
  const base = URL.parse(baseUrl);
  if (!parsed || parsed.origin !== base?.origin) return url;
  return `${parsed.pathname}${parsed.search}${parsed.hash}`;
}

/** Whether a request writes to the site, or to another server of the same domain, such as its API. */
export function isWriteRequest({ method: how, path }: { method: string; path: string }, baseUrl: string): boolean {
  const domain = (url: string) => URL.parse(url, baseUrl)?.hostname.split('.').slice(-2).join('.');
  return writingMethods.some((one) => one === how) && domain(path) === domain(baseUrl);
}

/** Each part between two wildcards is taken at its first position, so the time is linear. */
function withWildcards(text: string, any: string): string {
  const [first = '', ...rest] = text.split('*').map(escaped);
  const last = rest.pop();
  const between = rest.map((piece, i) => `(?=(${any}*?${piece}))\\${i + 1}`).join('');
  return last === undefined ? first : `${first}${between}${any}*${last}`;
}

function escaped(piece: string): string {
  return piece.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
