import type { Page } from 'playwright-core';
import { rungToSelector, selectorToRung } from '../../../platform/page/locate/rung-selector.ts';
import { readTextsAt } from '../../../platform/page/snapshot/visible-texts.ts';
import { runWithTimeLimit, withPatternBudget } from '../../../platform/text/pattern-time-limit.ts';
import { maskNumbers, matchesLabel } from '../../files/result-labels.ts';
import type { WizardResult } from '../../files/wizard-schema.ts';
import { foldText, readNumber } from '../../validation/read-values.ts';
import { type LabelledPageText, type LabelledValue, readLabelledValues } from './labelled-values.ts';
import { parseResultValue } from './result-value.ts';

type NamedResults = Readonly<Record<string, WizardResult>>;
export type WizardResults = Record<string, string>;

export interface NamedReading {
  values: WizardResults;
  /** The values as the page shows them, with the labels that identify them. */
  shown: { label: string; raw: string }[];
}

/** Reads the named values that the page shows, without the missing ones. A pattern in `slow` is not tried again. */
export async function readNamedResults(page: Page, named: NamedResults, slow: Set<string>): Promise<NamedReading> {
  const needsText = Object.values(named).some(({ locator, label }) => !locator || label);
  const rungs = Object.values(named).flatMap(({ locator }) => (locator ? [selectorToRung(locator)] : []));
  const [texts, shown] = await Promise.all([
    needsText ? readLabelledValues(page) : { pairs: [], loose: [], text: '' },
    readTextsAt(page, rungs),
  ]);
  return withPatternBudget(() => valuesOf(named, (how) => rawValue(how, texts, shown, slow)));
}

function valuesOf(named: NamedResults, read: (how: WizardResult) => string | undefined): NamedReading {
  const found: NamedReading = { values: {}, shown: [] };
  for (const [name, how] of Object.entries(named)) {
    const raw = read(how);
    const value = raw === undefined ? undefined : parseResultValue(raw, how.type);
    if (raw === undefined || value === undefined || value === '') continue;
    found.values[name] = value;
    found.shown.push({ label: stablePart(how.label ?? ''), raw });
  }
  return found;
}

/** The longest literal part of a label with a wildcard, such as "Benefit at age *". */
function stablePart(label: string): string {
  const parts = label.split(/[*…]/).map((part) => part.trim());
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

function rawValue(
  { label, heading, locator, pattern }: WizardResult,
  texts: LabelledPageText,
  shown: ReadonlyMap<string, readonly string[]>,
  slow: Set<string>,
): string | undefined {
  if (locator) {
    const [shownText, ...others] = shown.get(rungToSelector(selectorToRung(locator))) ?? [];
    if (others.length > 0 || (shownText !== undefined && label && isOtherValue(shownText, label, texts)))
      return undefined;
    if (shownText === undefined || !pattern) return shownText;
    return matched(shownText, pattern, slow);
  }
  if (label) {
    const value = valueForLabel(label, texts, heading);
    return value === undefined || !pattern ? value : matched(value, pattern, slow);
  }
  return pattern ? matched(texts.text, pattern, slow) : undefined;
}

/** Whether the page shows another value for the label: the position then belongs to another value. */
function isOtherValue(shownText: string, label: string, texts: LabelledPageText): boolean {
  const said = foldText(valueForLabel(label, texts) ?? shownText);
  return !said.includes(foldText(shownText)) && !foldText(shownText).includes(said);
}

/**
 * The value for a label. "Grant" does not match "Grant denied". A label with two different values has none, unless the
 * file names the heading.
 */
function valueForLabel(label: string, { pairs, loose }: LabelledPageText, heading?: string): string | undefined {
  const bare = (text: string) => foldText(text.replaceAll(/\([^)]*\)/g, ''));
  const open = (text: string) => foldText(maskNumbers(text));
  const isUnder = (one: LabelledValue) => heading === undefined || open(one.heading) === open(heading);
  const ways = [
    (one: LabelledValue) => foldText(one.label) === foldText(label),
    (one: LabelledValue) => bare(one.label) === bare(label),
    (one: LabelledValue) => matchesLabel(one.label, label),
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
  const found = runWithTimeLimit(() => expression.exec(text.slice(0, 200_000)));
  if (!found) slow.add(pattern);
  return found?.value ? (found.value[1] ?? found.value[0]) : undefined;
}

/** All labels with their values, under names made from the labels. */
export function nameResultsByLabel(pairs: readonly Pick<LabelledValue, 'label' | 'value'>[]): WizardResults {
  const results: WizardResults = {};
  for (const { label, value } of pairs.slice(0, 100)) {
    const name = slug(label);
    if (name && !(name in results)) results[name] = readNumber(value)?.value ?? value;
  }
  return results;
}

function slug(label: string): string {
  return foldText(label)
    .replaceAll(/\([^)]*\)/g, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60);
}
