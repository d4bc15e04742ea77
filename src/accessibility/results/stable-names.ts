/** Prefixes that build tools and frameworks put before a hash or counter. */
const generatedPrefix = /^(?:sc|css|jsx|svelte|emotion|astro|tns|ngcontent|nghost|r)$/i;

/**
 * Reduces a name to the part that is stable across visits, builds and pages: numbers become `#`, and generated parts (hashes,
 * UUIDs, counters of a framework) become `*`.
 */
export function toStableName(name: string): string {
  // Ids that React's useId generates, such as :r1:.
  if (/^[:«_]r?[0-9a-z]*[:»_]$/i.test(name)) return '*';
  const parts = name.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '*').split(/([-_:.])/);
  return parts.map((part, index) => (index % 2 === 0 ? toStablePart(part, parts[index - 2] ?? '') : part)).join('');
}

function toStablePart(part: string, before: string): string {
  if (part === '' || part === '*') return part;
  if (generatedPrefix.test(before)) return '*';
  if (/\d/.test(part)) {
    if (/^[0-9a-f]{8,}$/i.test(part)) return '*';
    if (part.length >= 5 && /[a-z]\d+[a-z]|\d+[a-z]+\d/i.test(part)) return '*';
  }
  if (part.length >= 24 && !/^[a-z]+$/.test(part)) return '*';
  return part.replace(/\d+/g, '#');
}

/** The stable path of an address: without origin, query and fragment. */
export function toStableAddress(address: string): string {
  const path = address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  return path.startsWith('data:') ? 'data:' : path.split('/').map(toStableName).join('/');
}

/** Stable names of a list such as `class`: without generated names, sorted. */
export function toStableNames(names: string): string[] {
  const stable = names.split(/\s+/).map(toStableName);
  return [...new Set(stable)].filter((name) => name !== '' && !name.includes('*')).sort();
}
