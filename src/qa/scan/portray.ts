import type { Locator, Page } from 'playwright-core';
import { takePicture } from '../../platform/page/picture.ts';
import type { RunPlace } from '../runs/handler.ts';

const privateFields =
  'input[type=password],input[autocomplete^=cc-],input[autocomplete=one-time-code],input[autocomplete=current-password],input[autocomplete=new-password]';

/** A picture of the page for the evidence, with whatever is private covered. Null where it cannot be had. */
export async function portray(
  { keep, secrets, signal }: Pick<RunPlace, 'keep' | 'secrets' | 'signal'>,
  page: Page,
  name: string,
): Promise<string | null> {
  const values = secrets.list.map((secret) => secrets.value(secret.name)).filter((value) => value.length > 2);
  const masked: Locator[] = [];
  for (const frame of page.frames()) {
    const holders = await frame.evaluate(markHolders, values).catch(() => 0);
    masked.push(frame.locator(privateFields), ...(holders > 0 ? [frame.locator('[data-assay-private]')] : []));
  }
  try {
    const data = await takePicture(page, { masked, quality: 70 });
    const { id } = await keep({ kind: 'screenshot', name, contentType: 'image/jpeg', data });
    return id;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && /ENOSPC|EDQUOT/.test(error.message)) throw error;
    return null;
  }
}

/** In the page: marks what shows the value of a secret, as the greeting of a user by their address does. */
function markHolders(values: string[]): number {
  let count = 0;
  const shows = (text: string) => values.some((value) => text.toLowerCase().includes(value.toLowerCase()));
  for (const element of document.querySelectorAll('*')) {
    element.removeAttribute('data-assay-private');
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const text =
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? element.value
        : own.map(({ textContent }) => textContent).join('');
    if (!shows(text)) continue;
    element.setAttribute('data-assay-private', '');
    count++;
  }
  return count;
}
