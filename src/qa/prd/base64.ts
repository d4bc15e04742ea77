import { invalidArgument } from '../owned-rows.ts';

const MOST_BYTES = 10 * 1024 * 1024;
const FIELD = 'contentBase64';

/**
 * The bytes of standard base64 (RFC 4648, section 4) with its padding. Line breaks and blanks between the digits are
 * allowed, since mail and many encoders wrap lines; anything else that is not base64 is refused.
 */
export function decodeBase64(text: string): Buffer {
  const digits = text.replaceAll(/[ \t\r\n]+/g, '');
  if (digits === '') throw invalidArgument(FIELD, `${FIELD} must not be empty.`);
  if (Math.floor((digits.length * 3) / 4) - 2 > MOST_BYTES) throw tooBig();
  const stray = /[^A-Za-z0-9+/=]/.exec(digits)?.[0];
  if (/^data:/i.test(digits)) throw invalidArgument(FIELD, `${FIELD} must be base64 alone, without "data:…;base64,".`);
  if (stray === '-' || stray === '_')
    throw invalidArgument(FIELD, `${FIELD} must be standard base64: + and /, not - and _.`);
  if (stray !== undefined)
    throw invalidArgument(FIELD, `${FIELD} must be base64, but it holds ${JSON.stringify(stray)}.`);
  if (digits.length % 4 !== 0 || !/^[^=]*={0,2}$/.test(digits))
    throw invalidArgument(
      FIELD,
      `${FIELD} is cut off or wrongly padded: send all of the base64, in groups of four, padded with "=".`,
    );
  const bytes = Buffer.from(digits, 'base64');
  if (bytes.toString('base64') !== digits)
    throw invalidArgument(FIELD, `${FIELD} must be canonical base64, but bits are left over. Encode the file again.`);
  if (bytes.length > MOST_BYTES) throw tooBig();
  if (bytes.length === 0) throw invalidArgument(FIELD, `${FIELD} must not be an empty file.`);
  return bytes;
}

function tooBig() {
  return invalidArgument(FIELD, `The file is larger than 10 MB (${MOST_BYTES} bytes). Upload it in parts.`, {
    limit: MOST_BYTES,
  });
}
