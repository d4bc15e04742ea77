import { actAndSettle } from '../../../page/settle/settle.ts';
import { findByLadder } from '../../../platform/page/locate/element-finder.ts';
import { toClickTarget } from '../read/page-features.ts';
import { normaliseUrl } from '../site-urls.ts';
import type { ClickTarget } from '../use-case-evidence.ts';
import { isHarmfulText, siteWords } from '../words/site-words.ts';
import type { CrawlSession } from './crawl-session.ts';
import { savePageScreenshot } from './page-screenshot.ts';
import type { ScannedPage, ScanTab } from './scan-tab.ts';

const MOST_OPENED = 3;

/** Buttons that act at once and are never pressed. */
const neverPressed = [siteWords.accept, siteWords.addToCart];
/** Words of buttons that may act at once, unless the page declares that they open a popup. */
const hasty = [siteWords.save, siteWords.send, siteWords.booking, siteWords.newsletter];

/** Buttons that open a dialog or a part of the page, by their attributes or their words. */
function findOpeners({ reading, setting }: Pick<ScannedPage, 'reading' | 'setting'>): ClickTarget[] {
  const says = (words: readonly RegExp[], name: string) => words.some((word) => word.test(name));
  return reading.controls
    .filter(({ kind, visible, disabled, type }) => visible && !disabled && kind === 'button' && type !== 'submit')
    .filter(({ name }) => !isHarmfulText(name) && !says(neverPressed, name))
    .filter(({ name, form }) => {
      const sounds = form === null && siteWords.create.test(name) && !says(hasty, name);
      return setting.popups.includes(name) || sounds;
    })
    .map(toClickTarget);
}

/**
 * Clicks buttons that open dialogs or parts of the page and records what they show. Other effects of a click are
 * blocked.
 */
export async function expandPage(
  { crawl, runContext, guarded, meter }: CrawlSession,
  tab: ScanTab,
  look: ScannedPage,
  { template, depth }: { template: string; depth: number },
): Promise<void> {
  const { reading, url } = look;
  for (const opener of findOpeners(look).slice(0, MOST_OPENED)) {
    meter.steps++;
    const opened = await guarded
      .withoutNavigation(() => clickOpener(tab, opener, runContext.signal))
      .catch((error: unknown) => {
        if (runContext.signal.aborted) throw error;
        return undefined;
      });
    if (opened && normaliseUrl(opened.url)?.href === normaliseUrl(url)?.href) {
      crawl.follow(opened.setting.links, opened.url, depth);
      const shown = (controls: ScannedPage['reading']['controls']) => controls.filter(({ visible }) => visible).length;
      const isMore =
        shown(opened.reading.controls) > shown(reading.controls) ||
        opened.reading.dialogs.length > reading.dialogs.length;
      const artifactId = isMore
        ? await savePageScreenshot(runContext, tab.page(), `page-${crawl.pages().length + 1}.jpg`)
        : null;
      if (isMore) crawl.keep(opened, { template, opened: [opener], artifactId });
    }
    await tab.visit(url);
  }
}

async function clickOpener(
  tab: ScanTab,
  { ladder, name, role }: ClickTarget,
  signal: AbortSignal,
): Promise<ScannedPage> {
  const page = tab.page();
  const { locator } = await findByLadder(page, ladder, { name, role }, { signal, timeoutMs: 2_000 });
  await actAndSettle(page, () => locator.click({ timeout: 2_000 }), { timeoutMs: 5_000, signal });
  return tab.observe();
}
