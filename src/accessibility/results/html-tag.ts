import { toStableAddress, toStableName, toStableNames } from './stable-names.ts';

/** The opening tag of an element, as far as a snippet contains it. */
export interface OpeningTag {
  tag: string;
  attributes: ReadonlyMap<string, string>;
}

const attribute = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)(?=[\s>])))?(?=[\s/>])/gy;

/** Parses the first tag of a snippet. CWAC truncates snippets to 100 characters; a truncated attribute is ignored. */
export function parseOpeningTag(html: string): OpeningTag | undefined {
  const open = /^\s*<([a-z][^\s/>]*)/i.exec(html);
  if (!open) return undefined;
  const attributes = new Map<string, string>();
  for (const match of html.slice(open[0].length).matchAll(attribute)) {
    const name = match[1]?.toLowerCase() ?? '';
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '');
  }
  return { tag: (open[1] ?? '').toLowerCase(), attributes };
}

const urlAttributes = new Set(['href', 'src', 'action']);
const nameAttributes = new Set(['id', 'name', 'for', 'role', 'type', 'rel', 'lang', 'tabindex']);

/** Normalizes a snippet so that changes of text, numbers, hashes, tokens and attribute order do not matter. */
export function normalizeHtml(html: string): string {
  const element = parseOpeningTag(html);
  if (!element) return html.replace(/\s+/g, ' ').trim().slice(0, 100);
  const parts = [...element.attributes].map(([name, value]) => {
    if (name === 'class') return `class=${toStableNames(value).join(' ')}`;
    if (urlAttributes.has(name)) return `${name}=${toStableAddress(value)}`;
    if (nameAttributes.has(name) || /^aria-(?:controls|owns|labelledby|describedby|hidden|expanded)$/.test(name)) {
      return `${name}=${value.split(/\s+/).map(toStableName).join(' ')}`;
    }
    return toStableName(name);
  });
  return `<${[element.tag, ...parts.sort()].join(' ')}>`;
}

/** Removes positions and generated names from an XPath or CSS selector. */
export function normalizeTarget(target: string): string {
  return target
    .replace(/\[\d+\]/g, '')
    .replace(/:nth-(?:last-)?(?:child|of-type)\([^)]*\)/g, '')
    .replace(/(["'])(.*?)\1/g, (_whole, _mark, value: string) => `'${toStableAddress(value)}'`)
    .replace(/[#.]-?[_a-z\\][\w\\:-]*/gi, (name) => {
      const stable = toStableName(name.slice(1));
      return stable.includes('*') ? '' : `${name.charAt(0)}${stable}`;
    })
    .replace(/\s+/g, ' ')
    .trim();
}
