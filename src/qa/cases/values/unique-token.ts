/** Token for characters that differ per run, so that a record can be created twice. */
export const UNIQUE_TOKEN = '{{unique}}';
export const UNIQUE_LENGTH = 8;

/** Length of a text after its tokens are replaced. */
export const filledLength = (text: string) => text.replaceAll(UNIQUE_TOKEN, 'x'.repeat(UNIQUE_LENGTH)).length;

/** Examples of the token: eight hexadecimal digits, also extreme ones. */
const sampleTokens = ['a1b2c3d4', '00000000', 'ffffffff', '12345678', '9e9e9e9e'];

/** Examples of a text with its tokens replaced; the text itself if it has none. */
export function tokenExpansions(text: string): string[] {
  return text.includes(UNIQUE_TOKEN) ? sampleTokens.map((filling) => text.replaceAll(UNIQUE_TOKEN, filling)) : [text];
}
