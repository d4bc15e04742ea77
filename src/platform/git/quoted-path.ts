const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/**
 * Undoes git's C-style quoting (`"caf\303\251"`); text without quotes is returned unchanged. Characters stand for bytes
 * (latin1) in input and output, because paths may be in any encoding.
 */
export function unquotePath(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text
    .slice(1, -1)
    .replace(/\\([0-7]{1,3}|.)/g, (_, code: string) =>
      /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (escapes[code] ?? code),
    );
}
