/**
 * Whether a text is sent as another that means the same: without its commas, in other letters, a date in another order, a
 * number in another unit, a telephone number with its country, or enciphered. Stands alone, since its text travels to pages.
 */
export function isSentAs(held: string, sent: string): boolean {
  const bare = (text: string) => text.replaceAll(/[\s,$€£%]/g, '');
  const isNumber = (text: string) => /^-?\d+(?:\.\d+)?$/.test(bare(text));
  if (isNumber(held) && isNumber(sent)) {
    const [one, other] = [Number(bare(held)), Number(bare(sent))];
    if (one === other) return true;
    const scale = Math.log10(other / one);
    return Number.isFinite(scale) && Math.abs(scale - Math.round(scale)) < 1e-9;
  }
  const plain = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '');
  if (plain(held) === plain(sent)) return true;
  // Pages in old encodings send what nobody can read back here.
  if (/[^ -~\s]/.test(held) && /\ufffd|&#\d+;/.test(sent)) return true;
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).map(Number).sort((a, b) => a - b);
  const isDate = (text: string) => /^\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}/.test(text);
  if (isDate(held) && isDate(sent) && numbers(sent).join() === numbers(held).join()) return true;
  const digits = (text: string) => text.replaceAll(/\D/g, '');
  const isPhone = /^[+\d\s()./-]{7,}$/.test(held) && digits(held).length >= 7;
  if (isPhone && digits(sent).endsWith(digits(held).replace(/^0+/, ''))) return true;
  return sent.length >= 24 && sent.length > held.length && /^[\w+/=.$:-]+$/.test(sent);
}
