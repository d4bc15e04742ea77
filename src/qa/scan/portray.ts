import type { Page } from 'playwright-core';
import { takePicture } from '../../platform/page/picture.ts';
import { coverPrivate, type PrivateText } from '../../platform/page/private-text.ts';
import type { RunPlace } from '../runs/handler.ts';

const privateFields =
  'input[type=password],input[autocomplete^=cc-],input[autocomplete=one-time-code],input[autocomplete=current-password],input[autocomplete=new-password]';
const TRIES = 3;

/** A picture of the page for the evidence, with whatever is private covered. Null where it cannot be had. */
export async function portray(
  { keep, secrets, signal }: Pick<RunPlace, 'keep' | 'secrets' | 'signal'>,
  page: Page,
  name: string,
): Promise<string | null> {
  try {
    const data = await coveredPicture(page, secrets.onPages);
    if (!data) return null;
    const { id } = await keep({ kind: 'screenshot', name, contentType: 'image/jpeg', data });
    return id;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && /ENOSPC|EDQUOT/.test(error.message)) throw error;
    return null;
  }
}

/** Rather none than one that shows a secret: a page that goes on changing may show it in the moment between. */
async function coveredPicture(page: Page, text: PrivateText): Promise<Uint8Array | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    await using covered = await coverPrivate(page, text);
    const fields = page.frames().map((frame) => frame.locator(privateFields));
    const data = await takePicture(page, { masked: [...fields, ...covered.masks], quality: 70 });
    if (await covered.isStillAll()) return data;
  }
  return undefined;
}
