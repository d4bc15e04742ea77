import { find } from '../../platform/page/ladder.ts';
import { settled } from '../../platform/page/settle.ts';
import { normalised } from './addresses.ts';
import type { Clickable } from './evidence.ts';
import { clickableOf } from './facts.ts';
import { portray } from './portray.ts';
import type { Look, Tab } from './visit.ts';
import type { Walk } from './walk.ts';
import { isDangerous, words } from './words.ts';

const MOST_OPENED = 3;

/** What a button does at once, rather than opening something that asks first. */
const atOnce = [words.accept, words.addToCart, words.cart, words.save, words.send, words.booking, words.newsletter];

/** Buttons that open a dialog or a part of the page, by what the page says of them or by their words. */
export function openersOn({ reading, setting }: Pick<Look, 'reading' | 'setting'>): Clickable[] {
  return reading.controls
    .filter(({ kind, visible, disabled, type }) => visible && !disabled && kind === 'button' && type !== 'submit')
    .filter(({ name, form }) => setting.popups.includes(name) || (form === null && words.create.test(name)))
    .filter(({ name }) => !isDangerous(name) && !atOnce.some((word) => word.test(name)))
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
  const { locator } = await find(page, ladder, { name, role }, { signal, timeoutMs: 2_000 });
  await settled(page, () => locator.click({ timeout: 2_000 }), { timeoutMs: 5_000, signal });
  return tab.look();
}
