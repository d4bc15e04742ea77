import type { Locator } from 'playwright-core';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import { type Control, isField, type PageReading } from '../../../platform/page/page-model.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { type DiscoverySession, sessionPage } from '../session/discovery-session.ts';
import { withStyledSelects } from './styled-selects.ts';

export async function readSessionPage(session: DiscoverySession): Promise<PageReading> {
  const page = sessionPage(session);
  return withStyledSelects(page, await readPage(page));
}

/** In the page: what identifies the element of a locator among the controls of a reading. */
function keysInPage(element: Element) {
  const control = element.closest('button,a[href],input,select,textarea,summary,label,[role]') ?? element;
  const target = control instanceof HTMLLabelElement ? (control.control ?? control) : control;
  const text = (attribute: string) => target.getAttribute(attribute);
  return { tag: target.localName, id: text('id'), name: text('name'), value: text('value') };
}

export interface MatchedControl {
  control: Control;
  /** The option of a group that matched. */
  option: Control['options'][number] | undefined;
}

/** The control that a locator matches, and the option if it is a group. Undefined if the reading has none. */
export async function findControlAt(locator: Locator, reading: PageReading): Promise<MatchedControl | undefined> {
  const keys = await locator
    .first()
    .evaluate(keysInPage)
    .catch(() => undefined);
  if (!keys) return undefined;
  for (const control of reading.controls) {
    const isGroup = control.options.length > 0 && /-group$/.test(control.kind);
    const { tag } = control;
    const members = [
      // The container of a group contains each of its options; the option is meant.
      ...(isGroup ? [] : [{ option: undefined, ladder: control.ladder, tag, isLikely: control.id === keys.id }]),
      ...control.options.map((option) => ({
        option,
        ladder: option.ladder,
        tag,
        isLikely: option.value === keys.value,
      })),
      ...control.parts.map(({ control: part }) => ({
        option: undefined,
        ladder: part.ladder,
        tag: part.tag,
        isLikely: part.id === keys.id,
      })),
    ];
    for (const { option, ladder, tag, isLikely } of members) {
      const [rung] = ladder;
      if (!rung || tag !== keys.tag || !(isLikely || keys.id === null)) continue;
      if (await isSameElement(locator, rungToSelector(rung))) return { control, option };
    }
  }
  return undefined;
}

async function isSameElement(locator: Locator, selector: string): Promise<boolean> {
  const page = locator.page();
  const [one, other] = await Promise.all([
    locator.first().elementHandle(),
    page.locator(selector).first().elementHandle({ timeout: 500 }),
  ]).catch(() => []);
  if (!one || !other) return false;
  try {
    return await one.evaluate((element, against) => {
      const label = element.closest('label');
      return element === against || against.contains(element) || (label !== null && label.control === against);
    }, other);
  } catch {
    // The elements are in different frames.
    return false;
  } finally {
    await Promise.all([one.dispose(), other.dispose()]);
  }
}

/** Records an answer as an example value: a choice by its label; several choices at once are ignored. */
export function recordAnswer(
  { answers }: DiscoverySession,
  { name, options }: Pick<Control, 'name' | 'options'>,
  value: string | number | boolean | readonly string[],
): void {
  if (typeof value === 'object') return;
  const text = String(value);
  answers.set(name, options.find((option) => option.value === text)?.label || text);
}

const choiceKinds = ['radio-group', 'checkbox-group', 'checkbox', 'switch', 'select', 'multi-select', 'listbox'];

/**
 * Records which questions a choice made appear: they depend on it. Questions that appear after typing only wait for any text,
 * so they get no condition.
 */
export function recordReveals(
  session: DiscoverySession,
  before: PageReading,
  after: PageReading,
  { kind, name: by }: Pick<Control, 'kind' | 'name'>,
  value: string,
): void {
  if (!choiceKinds.includes(kind)) return;
  recordVisibleQuestions(session, before, by, undefined);
  recordVisibleQuestions(session, after, by, value);
  const known = new Set(before.controls.filter((control) => control.visible).map(({ name }) => name));
  for (const control of after.controls)
    if (isField(control) && control.visible && control.name && !known.has(control.name) && control.name !== by)
      addReveal(session, control.name, by, value);
}

/** Records which questions are visible with an answer: the given one, or the one that the page shows. */
function recordVisibleQuestions(
  { questionsByAnswer }: DiscoverySession,
  { controls }: PageReading,
  by: string,
  given: string | undefined,
): void {
  const control = controls.find(({ name }) => name === by);
  const value = given ?? (control && (control.checked === null ? control.value : String(control.checked)));
  if (!value) return;
  const asked = controls.filter((one) => isField(one) && one.visible).map(({ name }) => name);
  questionsByAnswer.set(by, (questionsByAnswer.get(by) ?? new Map()).set(value, new Set(asked)));
}

function addReveal({ reveals }: DiscoverySession, name: string, by: string, value: string): void {
  const known = reveals.get(name);
  if (known?.question === by) known.values.add(value);
  else reveals.set(name, { question: by, values: new Set([value]) });
}
