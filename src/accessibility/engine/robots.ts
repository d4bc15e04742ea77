export interface Robots {
  isAllowed(url: URL): boolean;
  sitemaps: string[];
  /** The seconds that it asks for between pages; 0 where it asks for none. */
  crawlDelay: number;
}

interface Rule {
  allow: boolean;
  /** How specific the rule is: the longest that matches wins. */
  length: number;
  matches(path: string): boolean;
}

/** The rules for one agent. */
interface Group {
  rules: Rule[];
  crawlDelay: number;
}

export const allowAll: Robots = { isAllowed: () => true, sitemaps: [], crawlDelay: 0 };

/** Reads a robots.txt (RFC 9309, and `Crawl-delay`, which many sites write beside it) for one product token. */
export function parseRobots(text: string, token: string): Robots {
  const groups = new Map<string, Group>();
  const sitemaps: string[] = [];
  let agents: string[] = [];
  let namingAgents = false;
  for (const raw of text.split(/\r\n|\r|\n/)) {
    const match = /^\s*([a-z-]+)\s*:\s*(.*?)\s*$/i.exec(raw.replace(/#.*/, ''));
    if (!match) continue;
    const [, field = '', value = ''] = match;
    switch (field.toLowerCase()) {
      case 'user-agent':
        if (!namingAgents) agents = [];
        namingAgents = true;
        agents.push(value.toLowerCase());
        if (!groups.has(value.toLowerCase())) groups.set(value.toLowerCase(), { rules: [], crawlDelay: 0 });
        break;
      case 'allow':
      case 'disallow':
        namingAgents = false;
        // An empty path forbids and allows nothing.
        if (value !== '') for (const agent of agents) groups.get(agent)?.rules.push(ruleOf(field, value));
        break;
      case 'crawl-delay':
        namingAgents = false;
        for (const agent of agents) noteDelay(groups.get(agent), value);
        break;
      case 'sitemap':
        sitemaps.push(value);
        break;
    }
  }
  const { rules, crawlDelay } = groups.get(token.toLowerCase()) ?? groups.get('*') ?? { rules: [], crawlDelay: 0 };
  return { isAllowed: (url) => isAllowed(rules, url), sitemaps, crawlDelay };
}

function noteDelay(group: Group | undefined, value: string): void {
  if (group && /^\d+(\.\d+)?$/.test(value)) group.crawlDelay = Math.max(group.crawlDelay, Number(value));
}

function ruleOf(field: string, value: string): Rule {
  const toTheEnd = value.endsWith('$');
  const parts = (toTheEnd ? value.slice(0, -1) : value).split('*');
  return {
    allow: field.toLowerCase() === 'allow',
    length: value.length,
    matches: (path) => matchesParts(path, parts, toTheEnd),
  };
}

/** Finds the parts between the stars one after the other, each as early as it can be: linear, whatever a site writes. */
function matchesParts(path: string, [first = '', ...rest]: readonly string[], toTheEnd: boolean): boolean {
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop();
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (last === undefined) return !toTheEnd || path.length === at;
  return toTheEnd ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) !== -1;
}

function isAllowed(rules: readonly Rule[], url: URL): boolean {
  if (url.pathname === '/robots.txt') return true;
  const path = `${url.pathname}${url.search}`;
  let best: Rule | undefined;
  for (const rule of rules) {
    if (!rule.matches(path)) continue;
    if (!best || rule.length > best.length || (rule.length === best.length && rule.allow)) best = rule;
  }
  return best?.allow ?? true;
}
