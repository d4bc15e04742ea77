import { locate } from '../../platform/page/ladder.ts';
import { takePicture } from '../../platform/page/picture.ts';
import type { Stage } from './stage.ts';

/** What the window shows, without the secrets that were entered, wherever the page repeats them. None where that fails. */
export async function pictureOf(stage: Stage): Promise<Uint8Array | undefined> {
  const page = stage.page();
  const { values, rungs } = stage.entered;
  const masked = [
    ...rungs.map((rung) => locate(page, rung)),
    ...[...values].flatMap((value) => [page.getByText(value), page.locator(`[value=${JSON.stringify(value)}]`)]),
  ];
  try {
    const picture = await takePicture(page, { quality: 50, fullForm: false, masked, timeoutMs: 5000 });
    stage.meter.screenshots++;
    return picture;
  } catch {
    return undefined;
  }
}
