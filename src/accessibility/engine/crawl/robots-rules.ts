import { matchesWildcard } from '../../../platform/text/wildcard.ts';

/** The rules of one robots.txt for one crawler. */
export interface RobotsRules {
  isAllowed(url: URL): boolean;
  sitemaps: string[];
  /** Requested seconds between two pages; 0 when the file has no Crawl-delay. */
  crawlDelay: number;
}

export const allowAll: RobotsRules = { isAllowed: () => true, sitemaps: [], crawlDelay: 0 };

/** Limit on the cost of matching one path: the characters of all wildcard patterns times those of the path. */
const MAX_COMPARISONS = 100_000_000;

interface RobotsRule {
  isAllow: boolean;
  length: number;
  /** Pattern for the whole path: a final `$` is removed, otherwise `*` is added. */
  pattern: string;
}

interface RobotsGroup {
  rules: RobotsRule[];
  crawlDelay: number;
}

/**
 * Parses the robots.txt of an origin (RFC 9309, plus the common `Crawl-delay`) for one product token. No rule is dropped. A path
 * that would take too long to match is not allowed.
 */
export function parseRobots(origin: string, text: string, token: string): RobotsRules {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const records = lines.flatMap((line) => parseRecord(line) ?? []);
  const groups = groupByProduct(records);
  const group = groups.get(token.toLowerCase()) ?? groups.get('*') ?? emptyGroup();
  // The longest matching rule decides; on a tie, allow wins.
  const rules = group.rules.toSorted((a, b) => b.length - a.length || Number(b.isAllow) - Number(a.isAllow));
  const wildcardLength = rules.reduce(
    (sum, { pattern, length }) => sum + (pattern.indexOf('*') < pattern.length - 1 ? length : 0),
    0,
  );
  return {
    isAllowed(url) {
      if (url.origin !== new URL(origin).origin || url.pathname === '/robots.txt') return true;
      const path = normalizePath(url.pathname + url.search);
      if (wildcardLength * path.length > MAX_COMPARISONS) return false;
      return rules.find(({ pattern }) => matchesWildcard(path, pattern))?.isAllow ?? true;
    },
    sitemaps: records.flatMap(({ field, value }) => (field === 'sitemap' ? [value] : [])),
    crawlDelay: group.crawlDelay,
  };
}

const emptyGroup = (): RobotsGroup => ({ rules: [], crawlDelay: 0 });

/** Groups by product token in lower case; groups of the same product are merged. A sitemap line does not end a group. */
function groupByProduct(records: readonly RobotsRecord[]): Map<string, RobotsGroup> {
  const groups = new Map<string, RobotsGroup>();
  let current = new Set<RobotsGroup>();
  let isInRules = false;
  for (const { field, value } of records.filter((record) => record.field !== 'sitemap')) {
    if (field === 'user-agent') {
      if (isInRules) current = new Set();
      isInRules = false;
      const product = value.toLowerCase();
      const group = groups.get(product) ?? emptyGroup();
      groups.set(product, group);
      current.add(group);
      continue;
    }
    isInRules = true;
    for (const group of current) {
      if (field === 'crawl-delay') group.crawlDelay = Number(value);
      else if (value !== '') group.rules.push(toRule(field === 'allow', value));
    }
  }
  return groups;
}

/** A pattern matches the start of a path, unless it ends with `$`. */
function toRule(isAllow: boolean, pattern: string): RobotsRule {
  const whole = pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}*`;
  return { isAllow, length: pattern.length, pattern: whole };
}

interface RobotsRecord {
  field: string;
  value: string;
}

function parseRecord(line: string): RobotsRecord | undefined {
  const rest = line.split('#', 1)[0] ?? '';
  const colon = rest.indexOf(':');
  if (colon === -1) return undefined;
  const field = rest.slice(0, colon).trim().toLowerCase();
  const value = rest.slice(colon + 1).trim();
  switch (field) {
    case 'user-agent': {
      // `Assay/1.0` and `Assay (+https://…)` name the product `Assay`.
      const product = value === '*' ? value : /^[a-z_-]+/i.exec(value)?.[0];
      return { field, value: product ?? value };
    }
    case 'allow':
    case 'disallow':
      return { field, value: normalizePattern(value) };
    case 'crawl-delay':
      return /^\d+(\.\d+)?$/.test(value) ? { field, value } : undefined;
    case 'sitemap':
      return value === '' ? undefined : { field, value };
    default:
      return undefined;
  }
}

/** Normalizes the text between the wildcards of a rule. `*` and a final `$` keep their meaning; `%2A` and `%24` are literal. */
function normalizePattern(value: string): string {
  const end = value.endsWith('$') ? '$' : '';
  const parts = value
    .slice(0, value.length - end.length)
    .replaceAll(/\*{2,}/g, '*')
    .split('*');
  return parts.map(normalizePath).join('*') + end;
}

/**
 * Gives equal paths of a rule and an address one form (RFC 9309, section 2.2.2). Unreserved characters are decoded: `/%7Ejoe`
 * → `/~joe`. Reserved ones stay as written, because `/a%2Fb` is not `/a/b`. The rest is encoded, also what a URL encodes only
 * in its query or not at all: `/a[1]` → `/a%5B1%5D`.
 */
function normalizePath(text: string): string {
  return text.toWellFormed().replaceAll(/%[\dA-Fa-f]{2}|%|[^\w.~\-/?:@&=+,;!()#%]+/g, (found) => {
    if (found.length !== 3 || !found.startsWith('%')) return encodeURIComponent(found).replaceAll(/['*]/g, encodeAscii);
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : found.toUpperCase();
  });
}

function encodeAscii(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
