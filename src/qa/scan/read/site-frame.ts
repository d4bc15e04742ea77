import type { RecordedPage } from './page-features.ts';

const FRAME_SHARE = 0.6;
const LEAST_PAGES = 4;

/**
 * What stands on most pages is the frame of the site, whether its markup says so or not: such links are its menu, and such
 * forms are not about the page.
 */
export function markSiteFrame(pages: readonly RecordedPage[]): RecordedPage[] {
  const plain = pages.filter(({ opened }) => opened.length === 0);
  if (plain.length < LEAST_PAGES) return [...pages];
  const links = commonKeys(plain, ({ setting }) => setting.links.map(({ href }) => href));
  const forms = commonKeys(plain, ({ reading }) => reading.controls.map(formKey));
  return pages.map((page) => ({
    ...page,
    setting: {
      ...page.setting,
      links: page.setting.links.map((link) =>
        link.place === 'main' && links.has(link.href) ? { ...link, place: 'nav' as const, isItem: false } : link,
      ),
      forms: page.setting.forms.map((form, index) => {
        const control = page.reading.controls.find((each) => each.form?.index === index);
        const isCommon = control !== undefined && forms.has(formKey(control));
        return form.place === 'main' && isCommon ? { ...form, place: 'header' as const, heading: '' } : form;
      }),
    },
  }));
}

function formKey({ form, nameAttribute }: RecordedPage['reading']['controls'][number]): string {
  return form ? `${form.method} ${form.action} ${nameAttribute ?? ''}` : '';
}

function commonKeys(pages: readonly RecordedPage[], keysOf: (page: RecordedPage) => string[]): Set<string> {
  const counts = new Map<string, number>();
  for (const page of pages) for (const key of new Set(keysOf(page))) counts.set(key, (counts.get(key) ?? 0) + 1);
  counts.delete('');
  return new Set([...counts].filter(([, count]) => count >= pages.length * FRAME_SHARE).map(([key]) => key));
}
