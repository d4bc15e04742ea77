import type { Page } from 'playwright-core';
import { type PrivateText, takeMaskedScreenshot } from '../../../platform/page/capture/private-text.ts';
import type { RunContext } from '../../runs/run-context.ts';

const privateFields =
  'input[type=password],input[autocomplete^=cc-],input[autocomplete=one-time-code],input[autocomplete=current-password],input[autocomplete=new-password]';
const TIMEOUT_MS = 10_000;

/** Saves a screenshot with private text masked. Returns null if it cannot be taken. */
export async function savePageScreenshot(
  { saveArtifact: keep, secrets, signal }: Pick<RunContext, 'saveArtifact' | 'secrets' | 'signal'>,
  page: Page,
  name: string,
): Promise<string | null> {
  try {
    const data = await maskedScreenshot(page, secrets.privateText);
    if (!data) return null;
    const { id } = await keep({ kind: 'screenshot', name, contentType: 'image/jpeg', data });
    return id;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && /ENOSPC|EDQUOT/.test(error.message)) throw error;
    return null;
  }
}

/** A screenshot that is masked as a whole shows nothing and is dropped. */
async function maskedScreenshot(page: Page, text: PrivateText): Promise<Uint8Array | undefined> {
  const masked = page.frames().map((frame) => frame.locator(privateFields));
  const { picture, isWhole } = await takeMaskedScreenshot(page, text, { masked, quality: 70, timeoutMs: TIMEOUT_MS });
  return isWhole ? picture : undefined;
}
