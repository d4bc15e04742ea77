/** Stands for a few characters that differ from run to run, so that a record can be made twice. */
export const UNIQUE_TOKEN = '{{unique}}';
export const UNIQUE_LENGTH = 8;

/** How long a text is once its tokens are filled in. */
export const filledLength = (text: string) => text.replaceAll(UNIQUE_TOKEN, 'x'.repeat(UNIQUE_LENGTH)).length;

/** What the token may become: eight hexadecimal digits, which may all be of one sort. */
const sampleTokens = ['a1b2c3d4', '00000000', 'ffffffff', '12345678', '9e9e9e9e'];

/** What a text may be once it is filled in; itself where there is nothing to fill in. */
export function tokenExpansions(text: string): string[] {
  return text.includes(UNIQUE_TOKEN) ? sampleTokens.map((filling) => text.replaceAll(UNIQUE_TOKEN, filling)) : [text];
}
