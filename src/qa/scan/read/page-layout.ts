import type { Page } from 'playwright-core';
import { robotCheck, stepCount } from '../words/page-words.ts';

type PageRegion = 'header' | 'nav' | 'main' | 'aside' | 'footer' | 'dialog';

export interface PageLink {
  /** Absolute URL. */
  href: string;
  text: string;
  place: PageRegion;
  rel: string;
  language: string;
  download: boolean;
  /** In the header of a table. */
  isColumn: boolean;
  /** Entry of a list, a table or a grid. */
  isItem: boolean;
}

export interface FormLayout {
  place: PageRegion;
  /** The nearest heading above it. */
  heading: string;
  isSearch: boolean;
  multipart: boolean;
  /** In a row of a table or a list, such as the form of a delete button. */
  isItem: boolean;
  /** Headings of hidden parts. */
  hiddenParts: string[];
}

/** Regions, links, lists and tables of a page. The page reading holds its controls. */
export interface PageLayout {
  links: PageLink[];
  forms: FormLayout[];
  tables: { heads: string[]; rows: number; sortable: boolean }[];
  /** Number of list entries. */
  entries: number;
  /** Names of controls that open parts of the page. */
  disclosures: string[];
  /** Names of buttons that open a dialog or a menu. */
  popups: string[];
  /** Progress of a multi-step form: `Step 1 of 3`, with the names of the steps. */
  stage: { at: number; of: number; names: string[] } | null;
  /** Number of live regions that show results. */
  outputs: number;
  /** Number of headings next to a figure. */
  figures: number;
  captcha: boolean;
  text: string;
}

export function readPageLayout(page: Page): Promise<PageLayout> {
  return page.evaluate(readLayoutInPage, { stepCount: stepCount.source, robotCheck: robotCheck.source });
}

/** Runs in the page, so it uses nothing from this module. The words are sources of patterns. */
function readLayoutInPage(words: { stepCount: string; robotCheck: string }): PageLayout {
  const tidy = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, 200);
  const isSeen = (element: Element) => element.checkVisibility({ checkVisibilityCSS: true });
  const all = <Found extends Element>(selector: string) => [
    ...document.querySelectorAll<Found & HTMLElement>(selector),
  ];

  const regions: [string, PageRegion][] = [
    ['dialog,[role=dialog],[role=alertdialog]', 'dialog'],
    // A pagination or an article header inside main belongs to the content.
    ['main,[role=main]', 'main'],
    ['nav,[role=navigation]', 'nav'],
    ['header,[role=banner]', 'header'],
    ['footer,[role=contentinfo]', 'footer'],
    ['aside,[role=complementary]', 'aside'],
  ];
  const regionOf = (element: Element) => regions.find(([selector]) => element.closest(selector))?.[1] ?? 'main';
  const inMain = (element: Element) => regionOf(element) === 'main';
  const entries = 'tbody tr,li,article,[role=row],[role=listitem]';
  /** Whether an element is one of several similar siblings with links: a list in any markup. */
  function isRepeated(element: Element): boolean {
    for (let at: Element | null = element, up = 0; at?.parentElement && up < 4; at = at.parentElement, up++) {
      const make = `${at.tagName}.${at.className}`;
      const twins = [...at.parentElement.children].filter((other) => `${other.tagName}.${other.className}` === make);
      if (at.tagName !== 'A' && twins.length > 2 && twins.every((twin) => twin.querySelector('a[href]'))) return true;
    }
    return false;
  }
  const isItem = (element: Element) => element.closest(entries) !== null || isRepeated(element);

  function headingAbove(element: Element): string {
    const headings = all('h1,h2,h3,h4,legend').filter(isSeen);
    const inside = headings.find((heading) => element.contains(heading));
    // A heading in another region is not about the form.
    const above = headings.findLast(
      (heading) =>
        heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING &&
        regionOf(heading) === regionOf(element),
    );
    return tidy((inside ?? above)?.textContent);
  }

  const links = all<HTMLAnchorElement>('a[href]')
    .filter(isSeen)
    .slice(0, 500)
    .map((link) => ({
      href: link.href,
      text:
        tidy(link.getAttribute('aria-label') ?? link.innerText) ||
        tidy(link.title) ||
        tidy(link.querySelector('img')?.alt),
      place: regionOf(link),
      rel: link.rel,
      language: link.hreflang || (link.lang && link.lang !== document.documentElement.lang ? link.lang : ''),
      download: link.hasAttribute('download'),
      isColumn: link.closest('thead,th,[role=columnheader]') !== null,
      isItem: isItem(link),
    }));

  const forms = [...document.forms].slice(0, 100).map((form) => ({
    place: regionOf(form),
    heading: headingAbove(form),
    isSearch: form.closest('[role=search],search') !== null,
    multipart: form.enctype === 'multipart/form-data',
    isItem: isItem(form),
    hiddenParts: [...form.querySelectorAll('fieldset,section,[role=tabpanel],[data-step]')]
      .filter((part) => !isSeen(part))
      .map((part) => tidy(part.querySelector('legend,h2,h3')?.textContent)),
  }));

  const tables = all<HTMLTableElement>('table,[role=table],[role=grid]')
    .filter(isSeen)
    .slice(0, 20)
    .map((table) => ({
      heads: [...table.querySelectorAll('thead th,[role=columnheader]')].map((head) => tidy(head.textContent)),
      rows: table.querySelectorAll('tbody tr,[role=row]').length,
      sortable: table.querySelector('[aria-sort],thead th a,thead th button') !== null,
    }));

  const text = (document.body?.innerText ?? '').replace(/\s+/g, ' ').slice(0, 5000);
  const whole = document.body?.innerText.slice(0, 20_000) ?? '';
  const counted = new RegExp(words.stepCount, 'i').exec(whole);
  const current = document.querySelector('[aria-current=step]');
  const marks = current ? [...(current.closest('ol,ul,nav')?.querySelectorAll('li') ?? [])] : [];
  const at = current ? marks.findIndex((mark) => mark.contains(current) || mark === current) + 1 : 0;
  const stage =
    counted || marks.length > 1
      ? {
          at: Number(counted?.[1] ?? at),
          of: Number(counted?.[2] ?? marks.length),
          names: marks.map((mark) => tidy(mark.textContent)),
        }
      : null;

  return {
    links,
    forms,
    tables,
    entries: all(entries).filter((entry) => isSeen(entry) && inMain(entry)).length,
    disclosures: all('details:not([open]) > summary,button[aria-expanded=false],[role=tab][aria-selected=false]')
      .filter((opener) => isSeen(opener) && inMain(opener))
      .map((opener) => tidy(opener.innerText)),
    popups: all('button[aria-haspopup],[role=button][aria-haspopup],button[data-bs-toggle=modal]')
      .filter(isSeen)
      .map((opener) => tidy(opener.getAttribute('aria-label') ?? opener.innerText)),
    stage,
    outputs: all('output,[aria-live=polite],[role=status]').filter(inMain).length,
    figures: all('h2,h3,dt').filter(
      (heading) => inMain(heading) && /^[^\p{L}]*\d[\d.,%€$£ ]*$/u.test(tidy(heading.nextElementSibling?.textContent)),
    ).length,
    captcha:
      document.querySelector(
        'iframe[src*="recaptcha"],iframe[src*="hcaptcha"],iframe[src*="challenges.cloudflare"],.g-recaptcha,.h-captcha,.cf-turnstile,[id*=captcha i],[name*=captcha i],img[src*=captcha i]',
      ) !== null || new RegExp(words.robotCheck, 'i').test(whole),
    text,
  };
}
