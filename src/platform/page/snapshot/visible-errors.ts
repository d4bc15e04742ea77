import type { Page } from 'playwright-core';
import { readErrorsScript } from '../in-page/frame-reader.ts';
import type { FrameError } from '../in-page/page-outline.ts';

export interface VisibleError {
  text: string;
  /** It belongs to a field. */
  isOfField: boolean;
}

/** What all frames of a page say is wrong, at a glance: for `readPage` says the same, and more, but takes longer. */
export async function readVisibleErrors(page: Page): Promise<VisibleError[]> {
  const script = readErrorsScript();
  const frames = page.frames().slice(0, 20);
  const found = await Promise.all(frames.map((frame) => frame.evaluate<FrameError[]>(script).catch(() => [])));
  return found.flat().map(({ text, control }) => ({ text, isOfField: control >= 0 }));
}
