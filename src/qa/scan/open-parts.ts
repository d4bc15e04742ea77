import { findByLadder } from '../../platform/page/locate/element-finder.ts';
import { actAndSettle } from '../../platform/page/settle/settle.ts';
import { normalised } from './addresses.ts';
import type { Clickable } from './evidence.ts';
import { clickableOf } from './facts.ts';
import { portray } from './portray.ts';
import type { Look, Tab } from './visit.ts';
import type { Walk } from './walk.ts';
import { isDangerous, words } from './words.ts';

const MOST_OPENED = 3;

/** Buttons that do something at once, whatever else they say. */
const neverPressed = [words.accept, words.addToCart];
/** Words of buttons that may do so, unless the page says that they open something. */
const hasty = [words.save, words.send, words.booking, words.newsletter];

/** Buttons that open a dialog or a part of the page, by what the page says of them or by their words. */
function openersOn({ reading, setting }: Pick<Look, 'reading' | 'setting'>): Clickable[] {
  const says = (words: readonly RegExp[], name: string) => words.some((word) => word.test(name));
  return reading.controls
    .filter(({ kind, visible, disabled, type }) => visible && !disabled && kind === 'button' && type !== 'submit')
    .filter(({ name }) => !isDangerous(name) && !says(neverPressed, name))
    .filter(({ name, form }) => {
      const sounds = form === null && words.create.test(name) && !says(hasty, name);
      return setting.popups.includes(name) || sounds;
    })
    .map(clickableOf);
}

/** Clicks what opens a dialog or a part of the page, and keeps what it shows. Whatever else a click would do is held back. */
export async function openParts(
  { crawl, place, guarded, meter }: Walk,
  tab: Tab,
  look: Look,
  { template, depth }: { template: string; depth: number },
): Promise<void> {
  const { reading, url } = look;
  for (const opener of openersOn(look).slice(0, MOST_OPENED)) {
    meter.steps++;
    const opened = await guarded
      .stayPut(() => click(tab, opener, place.signal))
      .catch((error: unknown) => {
        if (place.signal.aborted) throw error;
        return undefined;
      });
    if (opened && normalised(opened.url)?.href === normalised(url)?.href) {
      crawl.follow(opened.setting.links, opened.url, depth);
      const shown = (controls: Look['reading']['controls']) => controls.filter(({ visible }) => visible).length;
      const isMore =
        shown(opened.reading.controls) > shown(reading.controls) ||
        opened.reading.dialogs.length > reading.dialogs.length;
      const artifactId = isMore ? await portray(place, tab.page(), `page-${crawl.pages().length + 1}.jpg`) : null;
      if (isMore) crawl.keep(opened, { template, opened: [opener], artifactId });
    }
    await tab.visit(url);
  }
}

async function click(tab: Tab, { ladder, name, role }: Clickable, signal: AbortSignal): Promise<Look> {
  const page = tab.page();
  const { locator } = await findByLadder(page, ladder, { name, role }, { signal, timeoutMs: 2_000 });
  await actAndSettle(page, () => locator.click({ timeout: 2_000 }), { timeoutMs: 5_000, signal });
  return tab.look();
}
