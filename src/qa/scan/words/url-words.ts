import { anyWordOf, type Vocabulary } from '../../vocabulary.ts';

/** Matches a word of an address, which ends where a separator does. */
const addressWord = (words: string, end = '/?&=_.-') => `(^|[/?&=_-])(${words})([${end}]|$)`;

/** Addresses that end the session, pay or delete something when they are opened. */
export const harmfulPath = new RegExp(
  [
    addressWord(
      anyWordOf({
        en: /log[-_]?out|sign[-_]?out|log[-_]?off|delete|remove|destroy|purge|erase|revoke|unsubscribe|deactivate|disable|cancel|pay|vote|like|approve|reject|toggle/,
        de: /abmelden|loeschen|kuendigen/,
        fr: /deconnexion|supprimer/,
        es: /eliminar/,
      }),
    ),
    '[/?&](cart|basket|wishlist)[/_-]?add',
    '[?&](action|do|op|cmd|delete|remove)=',
  ].join('|'),
  'i',
);

/** Addresses by which a script changes something although its request only reads. */
export const stateChangingPath = new RegExp(
  addressWord(
    anyWordOf({
      en: /create|add|insert|save|store|update|submit|send|order|buy|book|checkout|subscribe|invite|publish|import|upload/,
    }),
  ),
  'i',
);

/** Last segments that name an action: `/users/invite` is no user. */
export const actionSegment =
  /^(new|create|add|edit|invite|import|export|search|login|register|settings|all|archive|latest|help)$/i;

/** Segments that do not name the records of a page: `/customers/:id/edit` is about customers. */
export const nonRecordSegment = /^(new|create|add|edit|invite|list|index|search|v\d+|app|admin|delete)$/i;

/** Segments that are ids: digits, hex, UUIDs, dates. */
export const idSegment = /^(\d+|[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d{2}(-\d{2})?|[A-Za-z]{1,5}[-_]?\d{3,})$/;

/** Matches the whole name of a query parameter. */
const parameter = (names: Vocabulary) => new RegExp(`^(${anyWordOf(names)})$`, 'i');

/** Query parameters that do not change the page. */
export const trackingParameter = /^(utm_|fbclid|gclid|ref$|sid$|session)/i;
export const pageParameter = parameter({
  en: /page|p|offset|start|from|pg|paged|cursor/,
  de: /seite/,
  es: /p[aá]gina/,
});
export const sortParameter = parameter({ en: /sort\w*|order(by)?|dir|direction/, fr: /tri/, es: /orden/ });
export const languageParameter = /^lang/i;

/** Paths of files that are no pages. */
export const filePath =
  /\.(pdf|docx?|xlsx?|pptx?|odt|ods|csv|tsv|zip|gz|tgz|7z|rar|dmg|exe|msi|apk|iso|mp[34]|mov|avi|webm|ogg|wav|jpe?g|png|gif|webp|svg|ico|css|js|json|xml|rss|txt|ics|epub|woff2?)$/i;

/** Files that belong to the page itself, so that a link to one is no download. */
export const assetPath = /\.(xml|rss|ico|css|js|svg|png|jpe?g|gif|webp|json|txt)$/i;

/** Addresses of a shopping cart. */
export const cartPath = /\b(cart|basket|bag)\b/i;
