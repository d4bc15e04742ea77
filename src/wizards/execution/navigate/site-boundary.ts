import { isIP } from 'node:net';
import { quote } from '../../../platform/errors.ts';
import type { Wizard } from '../../files/wizard-schema.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';

/**
 * Fails if the page belongs to another site. User data is entered only on the site of the file. If a form continues on
 * another site, the file has an address pattern for that page.
 */
export function throwIfOtherSite(run: WizardRun): void {
  const at = URL.parse(run.page().url());
  if (!at || !/^https?:$/.test(at.protocol)) return;
  const known = sitesOf(run.stored.wizard);
  if (known.size === 0 || known.has(registrableSite(at))) return;
  throw runError(
    'navigation_failed',
    `The form led to another site, ${quote(at.host, 100)}, which the wizard does not name. No data was entered there.`,
    { technical_details: 'OTHER_SITE' },
  );
}

/** Whether an address belongs to a site that the file names. */
export function isOwnSite(wizard: Wizard, address: string): boolean {
  const at = URL.parse(address);
  return at !== null && /^https?:$/.test(at.protocol) && sitesOf(wizard).has(registrableSite(at));
}

function sitesOf({ url, pages, results_page }: Wizard): Set<string> {
  const addresses = [url, ...pages.map(({ url_pattern = '' }) => url_pattern), results_page?.url_pattern ?? ''];
  return new Set(addresses.flatMap((address) => URL.parse(address) ?? []).map(registrableSite));
}

/** Labels under which countries register domains: `example.co.uk`, `example.gob.mx`. */
const secondLevelLabels: readonly string[] = ['co', 'com', 'gov', 'org', 'net', 'ac', 'edu', 'gob', 'gouv', 'govt'];

/** The registrable domain, guessed from the form of the host name; for an IP address, the whole host. */
export function registrableSite({ hostname, host }: URL): string {
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0 || !hostname.includes('.')) return host;
  const labels = hostname.toLowerCase().split('.');
  const isShort = secondLevelLabels.includes(labels.at(-2) ?? '') && labels.at(-1)?.length === 2;
  return labels.slice(isShort ? -3 : -2).join('.');
}
