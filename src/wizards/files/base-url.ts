import { Failure } from '../../platform/errors.ts';
import type { Wizard } from './wizard-schema.ts';

const PLACEHOLDER = '{base_url}';

/** Where the forms of a wizard are: `{base_url}` gives way to the operator's address, or to the file's own. */
export function resolveBaseUrl(wizard: Wizard, operators: string | undefined): Wizard {
  const base = (operators ?? wizard.base_url)?.replace(/\/+$/, '');
  const put = (text: string) => (base === undefined ? text : text.replaceAll(PLACEHOLDER, base));
  return {
    ...wizard,
    url: put(wizard.url),
    pages: wizard.pages.map((page) => ({ ...page, ...(page.url_pattern && { url_pattern: put(page.url_pattern) }) })),
    ...(wizard.results_page?.url_pattern && {
      results_page: { ...wizard.results_page, url_pattern: put(wizard.results_page.url_pattern) },
    }),
  };
}

export const BASE_URL_MISSING = `not runnable yet: ${PLACEHOLDER} is not known; set ASSAY_WIZARDS_BASE_URL, or base_url in its file`;

/** Whether it is known at which site an address is. */
export const hasKnownSite = (url: string) => !url.startsWith(PLACEHOLDER);

/** The address that an execution begins at. */
export function wizardStartUrl({ wizard_id, url }: Wizard): string {
  if (hasKnownSite(url) && URL.canParse(url)) return url;
  throw new Failure(
    'configuration',
    'base_url_missing',
    `The wizard ${wizard_id} says ${PLACEHOLDER} instead of an address. Set ASSAY_WIZARDS_BASE_URL, or base_url in its file.`,
    {
      corrective_action:
        'Set ASSAY_WIZARDS_BASE_URL to the address of the site that the file was made for, such as https://forms.example; the examples are for those that `npm run sites` serves.',
    },
  );
}
