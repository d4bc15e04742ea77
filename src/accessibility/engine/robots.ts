export interface Robots {
  isAllowed(url: URL): boolean;
  sitemaps: string[];
}

interface Rule {
  allow: boolean;
  /** How specific the rule is: the longest that matches wins. */
  length: number;
  matches(path: string): boolean;
}

export const allowAll: Robots = { isAllowed: () => true, sitemaps: [] };

/** Reads a robots.txt (RFC 9309) for one product token. */
export function parseRobots(text: string, token: string): Robots {
  const groups = new Map<string, Rule[]>();
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
        if (!groups.has(value.toLowerCase())) groups.set(value.toLowerCase(), []);
        break;
      case 'allow':
      case 'disallow':
        namingAgents = false;
        // An empty path forbids and allows nothing.
        if (value !== '') for (const agent of agents) groups.get(agent)?.push(ruleOf(field, value));
        break;
      case 'sitemap':
        sitemaps.push(value);
        break;
    }
  }
  const rules = groups.get(token.toLowerCase()) ?? groups.get('*') ?? [];
  return { isAllowed: (url) => isAllowed(rules, url), sitemaps };
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
