import type { Frame, Locator } from 'playwright-core';
import { locate } from '../../platform/page/ladder.ts';
import { takePicture } from '../../platform/page/picture.ts';
import { isPrivate } from '../files/private.ts';
import type { WizardField, WizardSubField } from '../files/wizard.ts';
import type { Run } from './run.ts';
import { ladderOf } from './settables.ts';

export interface Screenshot {
  page: number | 'results';
  title: string;
  image: string;
}

/** Whether there is anything to see: a tab that was not opened yet, or that only tells the browser's own error, is blank. */
export function hasPicture({ page }: Pick<Run, 'page'>): boolean {
  return !page().isClosed() && !/^(?:about:blank|chrome-error:)/.test(page().url());
}

/** A JPEG of the page as it is. What is private is covered, wherever on the page it stands. */
export async function picture(run: Run, quality: number, mostBytes: number, limitMs = 5_000): Promise<Buffer> {
  const timeoutMs = Math.min(limitMs, run.left());
  const page = run.page();
  const own = run.stored.wizard.pages.flatMap(({ fields }) => fields).flatMap(privateParts);
  const masked = [
    ...own.flatMap((part) => ladderOf(part).map((rung) => locate(page, rung))),
    ...(await placesOf(page.frames(), run.discreet.shown)),
  ];
  return takePicture(page, { quality, masked, mostBytes, timeoutMs });
}

/** Where private words stand on a page: in its text, and in boxes, whoever filled them in. */
export async function placesOf(frames: readonly Frame[], words: RegExp | undefined): Promise<Locator[]> {
  if (!words) return [];
  const boxes = await Promise.all(frames.map((frame) => boxesWith(frame, words)));
  return [...frames.map((frame) => frame.getByText(words)), ...boxes.flat()];
}

async function boxesWith(frame: Frame, words: RegExp): Promise<Locator[]> {
  const all = frame.locator('input:not([type=hidden]),textarea,select');
  const held = await all
    .evaluateAll((boxes) =>
      boxes.map((box) => {
        if (box instanceof HTMLSelectElement) return box.selectedOptions[0]?.text ?? '';
        return box instanceof HTMLInputElement || box instanceof HTMLTextAreaElement ? box.value : '';
      }),
    )
    .catch(() => []);
  return held.flatMap((text, i) => (words.test(text) ? [all.nth(i)] : []));
}

/** What is private of a field: all of it, or some of its parts. */
function privateParts(field: WizardField): (WizardField | WizardSubField)[] {
  const parts = field.sub_fields ?? [];
  if (!isPrivate(field)) return parts.filter(isPrivate);
  const options = (field.options ?? []).flatMap((option) =>
    option.selector ? [{ ...field, selector: option.selector, locators: option.locators ?? [] }] : [],
  );
  return [field, ...parts, ...options];
}
