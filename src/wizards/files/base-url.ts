import { Failure } from '../../platform/errors.ts';
import type { Wizard } from './wizard-schema.ts';

const PLACEHOLDER = '{base_url}';

/** Replaces `{base_url}` with the address of the operator, else with `base_url` of the file. */
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

/** Whether an address has no unresolved `{base_url}`. */
export const hasKnownSite = (url: string) => !url.startsWith(PLACEHOLDER);

/** The start address of an execution. Throws `base_url_missing` if it is not known. */
export function wizardStartUrl({ wizard_id, url }: Wizard): string {
  if (hasKnownSite(url) && URL.canParse(url)) return url;
  throw new Failure(
    'configuration',
    'base_url_missing',
    `The address of the wizard ${wizard_id} contains ${PLACEHOLDER}, which is not set. Set ASSAY_WIZARDS_BASE_URL, or base_url in its file.`,
    {
      corrective_action:
        'Set ASSAY_WIZARDS_BASE_URL to the address of the site of the form, such as https://forms.example. The examples are for the sites of `npm run sites`.',
    },
  );
}
