import type { Page } from 'playwright-core';
import { rungOf, selectorOf } from '../../platform/page/rung-text.ts';
import { textsAt } from '../../platform/page/texts-at.ts';
import { inTime } from '../../platform/patterns.ts';
import { isSaidAs, withoutNumbers } from '../files/result-labels.ts';
import type { WizardResult } from '../files/wizard.ts';
import { folded, readNumber } from '../validation/words.ts';
import { type PageText, type Pair, pageText } from './page-text.ts';
import { typedResult } from './result-value.ts';

type Named = Readonly<Record<string, WizardResult>>;
export type Results = Record<string, string>;

export interface NamedReading {
  values: Results;
  /** The same as it stands on the page, with the words that it is known by. */
  shown: { label: string; raw: string }[];
}

/**
 * The named values that a page shows; those that it does not show are left out. A pattern that is among the slow ones is not
 * tried again.
 */
export async function readNamed(page: Page, named: Named, slow: Set<string>): Promise<NamedReading> {
  const needsText = Object.values(named).some(({ locator, label }) => !locator || label);
  const places = Object.values(named).flatMap(({ locator }) => (locator ? [rungOf(locator)] : []));
  const [texts, shown] = await Promise.all([
    needsText ? pageText(page) : { pairs: [], loose: [], text: '' },
    textsAt(page, places),
  ]);
  const found: NamedReading = { values: {}, shown: [] };
  for (const [name, how] of Object.entries(named)) {
    const raw = rawValue(how, texts, shown, slow);
    const value = raw === undefined ? undefined : typedResult(raw, how.type);
    if (raw === undefined || value === undefined || value === '') continue;
    found.values[name] = value;
    found.shown.push({ label: surePart(how.label ?? ''), raw });
  }
  return found;
}

/** Of a label with something open in it, as in "Benefit at age *", the longest part that stands on the page as it is. */
function surePart(label: string): string {
  const parts = label.split(/[*…]/).map((part) => part.trim());
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

function rawValue(
  { label, heading, locator, pattern }: WizardResult,
  texts: PageText,
  shown: ReadonlyMap<string, readonly string[]>,
  slow: Set<string>,
): string | undefined {
  if (locator) {
    const [held, ...others] = shown.get(selectorOf(rungOf(locator))) ?? [];
    if (others.length > 0 || (held !== undefined && label && isAnothers(held, label, texts))) return undefined;
    if (held === undefined || !pattern) return held;
    return matched(held, pattern, slow);
  }
  if (label) {
    const value = saidFor(label, texts, heading);
    return value === undefined || !pattern ? value : matched(value, pattern, slow);
  }
  return pattern ? matched(texts.text, pattern, slow) : undefined;
}

/** Whether the page shows something else by the label: then the place is that of another value by now. */
function isAnothers(held: string, label: string, texts: PageText): boolean {
  const said = folded(saidFor(label, texts) ?? held);
  return !said.includes(folded(held)) && !folded(held).includes(said);
}

/**
 * What stands for a label. "Grant" is not "Grant denied"; and what is said twice in two ways is not known, unless the file says
 * under which heading.
 */
function saidFor(label: string, { pairs, loose }: PageText, heading?: string): string | undefined {
  const bare = (text: string) => folded(text.replaceAll(/\([^)]*\)/g, ''));
  const open = (text: string) => folded(withoutNumbers(text));
  const isUnder = (one: Pair) => heading === undefined || open(one.heading) === open(heading);
  const ways = [
    (one: Pair) => folded(one.label) === folded(label),
    (one: Pair) => bare(one.label) === bare(label),
    (one: Pair) => isSaidAs(one.label, label),
  ];
  for (const among of [pairs, loose].map((all) => all.filter(isUnder)))
    for (const isLike of ways) {
      const [first, ...others] = among.filter(isLike).map(({ value }) => value);
      if (first !== undefined) return others.every((other) => other === first) ? first : undefined;
    }
  return undefined;
}

function matched(text: string, pattern: string, slow: Set<string>): string | undefined {
  if (slow.has(pattern)) return undefined;
  const expression = new RegExp(pattern, 'u');
  const found = inTime(() => expression.exec(text.slice(0, 200_000)));
  if (!found) slow.add(pattern);
  return found?.value ? (found.value[1] ?? found.value[0]) : undefined;
}

/** What a page says by itself: every label with its value, under names made of the labels. */
export function namedByLabel(pairs: readonly Pick<Pair, 'label' | 'value'>[]): Results {
  const results: Results = {};
  for (const { label, value } of pairs.slice(0, 100)) {
    const name = slug(label);
    if (name && !(name in results)) results[name] = readNumber(value)?.value ?? value;
  }
  return results;
}

function slug(label: string): string {
  return folded(label)
    .replaceAll(/\([^)]*\)/g, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60);
}
