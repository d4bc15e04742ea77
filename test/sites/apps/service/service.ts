import { html } from '../../../../src/web/html.ts';
import { type App, type AppOptions, type Routes, startApp } from '../app.ts';
import { formRoutes } from './forms.ts';
import { gold } from './gold.ts';
import { page } from './layout.ts';
import { readingRoutes } from './reading.ts';
import { type Language, words } from './words.ts';

/** Defects of the service site. */
export const serviceDefects = [
  'contact-fails',
  'short-message-accepted',
  'newsletter-accepts-anything',
  'application-skips-income',
  'language-stays',
  'search-finds-nothing',
  'form-missing',
  'status-always-received',
  'calculator-off',
  'news-topic-ignored',
] as const;
export type ServiceDefect = (typeof serviceDefects)[number];

export interface ServiceSession {
  language: Language;
}

export interface ServiceSite {
  applications: Map<string, { name: string; status: string }>;
  appointments: string[];
  messages: string[];
  subscribers: Set<string>;
  useful: string[];
  has(defect: ServiceDefect): boolean;
}

export type ServiceRoutes = Routes<ServiceSession>;

/** The site has no login. */
const credentials = { username: '', password: '' };

export function startService(options: AppOptions<ServiceDefect> = {}): Promise<App> {
  const broken = new Set(options.defects);
  const site: ServiceSite = {
    applications: new Map([['HS-1001', { name: 'Kim Example', status: 'approved' }]]),
    appointments: [],
    messages: [],
    subscribers: new Set(),
    useful: [],
    has: (defect) => broken.has(defect),
  };
  return startApp<ServiceSession>(
    {
      routes: { ...readingRoutes(site), ...formRoutes(site) },
      newSession: () => ({ language: 'en' }),
      notFound: ({ session, path }) => page(session, path, 'Not found', html`<p>This page does not exist.</p>`),
      guard: ({ session, query }) => {
        const wanted = query.get('lang');
        if (wanted !== null && Object.hasOwn(words, wanted) && !site.has('language-stays'))
          session.language = wanted === 'de' ? 'de' : 'en';
        return undefined;
      },
      gold,
      credentials,
    },
    options,
  );
}
