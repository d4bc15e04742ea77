import { cleanText } from '../platform/text/untrusted-text.ts';

const trusted = Symbol('markup');

/** HTML that was put together here. Whatever is not Markup is text, and is escaped where it stands. */
export interface Markup {
  readonly [trusted]: string;
}

export type Content = string | number | Markup | readonly Content[] | false | undefined;

/** Writes HTML; all that is filled in is escaped, unless it is Markup itself. Attributes stand in double quotes. */
export function html(parts: TemplateStringsArray, ...contents: Content[]): Markup {
  let text = parts[0] ?? '';
  for (const [index, content] of contents.entries()) text += write(content) + (parts[index + 1] ?? '');
  return { [trusted]: text };
}

export function toText(markup: Markup): string {
  return markup[trusted];
}

/** Constant text of ours, such as a style sheet, that must not be escaped. Nothing that comes from elsewhere. */
export function verbatim(text: string): Markup {
  return { [trusted]: text };
}

function write(content: Content): string {
  if (content === undefined || content === false) return '';
  if (typeof content === 'string') return escaped(content);
  if (typeof content === 'number') return String(content);
  return isMarkup(content) ? content[trusted] : content.map(write).join('');
}

function isMarkup(content: Markup | readonly Content[]): content is Markup {
  return trusted in content;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return cleanText(text, { max: Number.POSITIVE_INFINITY }).replace(
    /[&<>"']/g,
    (character) => escapes[character] ?? '',
  );
}

/** A link, if the address is one of the web; otherwise only its text. Nothing that a page said becomes `javascript:`. */
export function webLink(address: string, text: Content = address): Markup {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return html`${text}`;
  return html`<a href="${address}" rel="noopener noreferrer">${text}</a>`;
}
