/** Tells whether a text matches a pattern in which `*` stands for any text. Linear in the text, unlike `.*`. */
export function matchesWildcard(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
