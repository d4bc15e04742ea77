import { nonRecordSegment } from '../words/url-words.ts';

/** The records that a page is about, by its path: `/customers/:id/edit` is about customers. */
function recordsNamedBy(template: string): string | undefined {
  const parts = template.split(/[/#]/).filter((part) => part !== '' && part !== ':id' && !nonRecordSegment.test(part));
  const last = parts
    .at(-1)
    ?.replaceAll(/[-_.]+/g, ' ')
    .toLowerCase();
  return last && /^[\p{L} ]{3,30}$/u.test(last) ? last : undefined;
}

/** Singular with its article: customers, a customer. */
function singular(things: string): string {
  if (things === 'cart' || things === 'basket') return `an article of the ${things}`;
  if (things === 'news') return 'a piece of news';
  const one = things.endsWith('ies') ? `${things.slice(0, -3)}y` : things.replace(/(ss)$|s$/, '$1');
  return `${/^(?!u[ns][ie])[aeiou]/.test(one) ? 'an' : 'a'} ${one}`;
}

/** Fills the placeholders of a class text. */
export function fillUseCaseText(
  text: string,
  { template, heading, fields }: { template: string; heading: string; fields: readonly string[] },
): string {
  const things = recordsNamedBy(template);
  return text
    .replaceAll('{things}', things ?? 'the list')
    .replaceAll('{a thing}', things ? singular(things) : 'a record')
    .replaceAll('{: heading}', heading ? `: ${heading}` : '')
    .replaceAll('{heading}', heading || 'A form')
    .replaceAll('{fields}', listNames(fields));
}

const MOST_NAMES = 8;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => `“${name}”`);
  if (names.length > MOST_NAMES) shown.push(`${names.length - MOST_NAMES} more`);
  return shown.length === 0 ? 'nothing' : shown.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
