import { toStableAddress, toStableName, toStableNames } from './stable-names.ts';

/** The opening tag of an element, as much of it as a snippet holds. */
export interface OpeningTag {
  tag: string;
  attributes: ReadonlyMap<string, string>;
}

const attribute = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)(?=[\s>])))?(?=[\s/>])/y;

/** Reads the first tag of a snippet. CWAC cuts snippets at 100 characters: an attribute that was cut off is left out. */
export function parseOpeningTag(html: string): OpeningTag | undefined {
  const open = /^\s*<([a-z][^\s/>]*)/i.exec(html);
  if (!open) return undefined;
  const attributes = new Map<string, string>();
  attribute.lastIndex = open[0].length;
  for (let match = attribute.exec(html); match; match = attribute.exec(html)) {
    const name = match[1]?.toLowerCase() ?? '';
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '');
  }
  return { tag: (open[1] ?? '').toLowerCase(), attributes };
}

const urlAttributes = new Set(['href', 'src', 'action']);
const nameAttributes = new Set(['id', 'name', 'for', 'role', 'type', 'rel', 'lang', 'tabindex']);

/** A snippet in a form that stays while texts, numbers, hashes, tokens and the order of attributes change. */
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

/** An XPath or CSS selector without positions and without made-up names. */
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
