import type { Page } from 'playwright-core';
import { rungOf, selectorOf } from '../../platform/page/rung-text.ts';
import { textsAt } from '../../platform/page/texts-at.ts';
import type { WizardResult } from '../files/wizard.ts';
import { folded, readNumber } from '../validation/words.ts';
import { type PageText, pageText } from './page-text.ts';
import { typedResult } from './result-value.ts';

type Named = Readonly<Record<string, WizardResult>>;
export type Results = Record<string, string>;

/** The named values that a page shows; those that it does not show are left out. */
export async function readNamed(page: Page, named: Named): Promise<Results> {
  const needsText = Object.values(named).some(({ locator }) => !locator);
  const places = Object.values(named).flatMap(({ locator }) => (locator ? [rungOf(locator)] : []));
  const [texts, shown] = await Promise.all([
    needsText ? pageText(page) : { pairs: [], text: '' },
    textsAt(page, places),
  ]);
  const found: Results = {};
  for (const [name, how] of Object.entries(named)) {
    const raw = rawValue(how, texts, shown);
    const value = raw === undefined ? undefined : typedResult(raw, how.type);
    if (value !== undefined && value !== '') found[name] = value;
  }
  return found;
}

function rawValue(
  { label, locator, pattern }: WizardResult,
  texts: PageText,
  shown: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  if (locator) {
    const [held, ...others] = shown.get(selectorOf(rungOf(locator))) ?? [];
    if (others.length > 0) return undefined;
    if (held === undefined || !pattern) return held;
    return matched(held, pattern);
  }
  if (label) {
    const value = saidFor(label, texts);
    return value === undefined || !pattern ? value : matched(value, pattern);
  }
  return pattern ? matched(texts.text, pattern) : undefined;
}

/** What stands for a label. "Grant" is not "Grant denied"; and what is said twice in two ways is not known. */
function saidFor(label: string, { pairs }: PageText): string | undefined {
  const bare = (text: string) => folded(text.replaceAll(/\([^)]*\)/g, ''));
  const exact = pairs.filter((one) => folded(one.label) === folded(label));
  const like = exact.length > 0 ? exact : pairs.filter((one) => bare(one.label) === bare(label));
  const values = new Set(like.map(({ value }) => value));
  return values.size === 1 ? like[0]?.value : undefined;
}

function matched(text: string, pattern: string): string | undefined {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
  const match = expression.exec(text.slice(0, 200_000));
  return match ? (match[1] ?? match[0]) : undefined;
}

/** What a page says by itself: every label with its value, under names made of the labels. */
export function namedByLabel(pairs: PageText['pairs']): Results {
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
