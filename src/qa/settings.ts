import { Failure } from '../platform/errors.ts';
import { parseSecretKey, type SecretKeys } from '../platform/secrets/secret-keys.ts';
import { parseUrl, rejectSetting } from '../platform/setting-parsers.ts';
import type { Setting } from '../platform/settings.ts';

export const qaSettings = {
  secretKey: {
    env: 'ASSAY_SECRET_KEY',
    secret: true,
    placeholder: 'key,older,…',
    help: 'The key that seals the secrets of QA projects: 32 bytes as base64 or hexadecimal. Older ones after a comma still open.',
    fallback: 'the file secret.key in the home folder, made on first use',
    parse: (raw, where): SecretKeys | undefined => parseSecretKeys(raw, where),
  },
  smtpUrl: {
    env: 'ASSAY_SMTP_URL',
    secret: true,
    placeholder: 'url',
    help: 'The mail server that sends reports: smtp://user:password@host:587, or smtps://.',
    fallback: 'none: mails are not sent, and that is said',
    parse: (raw, where): string | undefined =>
      !raw || /^smtps?:\/\/./.test(raw)
        ? raw || undefined
        : rejectSetting(where, undefined, 'an smtp:// or smtps:// address'),
  },
  mailFrom: {
    env: 'ASSAY_MAIL_FROM',
    placeholder: 'address',
    help: 'Who the mails with reports come from.',
    fallback: 'assay@localhost',
    parse: (raw): string => raw || 'assay@localhost',
  },
  mailDomains: {
    env: 'ASSAY_MAIL_DOMAINS',
    placeholder: 'a,b',
    help: 'The only domains that mails with reports may go to, such as example.com.',
    fallback: 'any',
    parse(raw, where): string[] {
      const domains = (raw ?? '').split(',').flatMap((part) => part.trim().toLowerCase() || []);
      const bad = domains.find((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain));
      return bad === undefined ? domains : rejectSetting(where, bad, 'domains such as example.com');
    },
  },
  smsUrl: {
    env: 'ASSAY_SMS_URL',
    placeholder: 'url',
    help: 'The HTTP address of a provider that sends short messages. It may hold {to} and {text}.',
    fallback: 'none: short messages are not sent, and that is said',
    // The parsed URL would have its braces escaped.
    parse: (raw, where): string | undefined => parseUrl(raw, where) && raw,
  },
  smsToken: {
    env: 'ASSAY_SMS_TOKEN',
    secret: true,
    placeholder: 'text',
    help: 'The secret of that provider: a bearer token, or whatever ASSAY_SMS_REQUEST makes of it.',
    fallback: 'none',
    parse: (raw): string | undefined => raw || undefined,
  },
  smsRequest: {
    env: 'ASSAY_SMS_REQUEST',
    secret: true,
    placeholder: 'json',
    help: 'How that provider is asked: {"method","contentType","headers","body"}, with {to}, {text}, {token} and {basic} in them.',
    fallback: 'a POST of {"to":"{to}","text":"{text}"} as JSON',
    parse: (raw): string => raw || '{}',
  },
  smsPrefixes: {
    env: 'ASSAY_SMS_PREFIXES',
    placeholder: 'a,b',
    help: 'What the numbers must begin with that short messages may go to, such as +49,+4366.',
    fallback: 'any',
    parse(raw, where): string[] {
      const prefixes = (raw ?? '').split(',').flatMap((part) => part.trim() || []);
      const bad = prefixes.find((prefix) => !/^\+[1-9]\d{0,14}$/.test(prefix));
      return bad === undefined ? prefixes : rejectSetting(where, bad, 'beginnings of numbers such as +49');
    },
  },
  prices: {
    env: 'ASSAY_PRICES',
    placeholder: 'json',
    help: 'What QA runs cost, for qa_report_cost_query: {"currency":"USD","browserSecond":0.0001,"page":0,"step":0,"screenshot":0,"megabyte":0}.',
    fallback: 'everything is free',
    parse: (raw): string => raw || '{}',
  },
} satisfies Record<string, Setting<unknown>>;

/** The message never repeats a key. */
function parseSecretKeys(raw: string | undefined, where: string): SecretKeys | undefined {
  if (!raw) return undefined;
  const keys = raw.split(',').map((part) => parseSecretKey(part.trim()));
  const [first, ...others] = keys.flatMap((key) => key ?? []);
  if (first && others.length === keys.length - 1) return [first, ...others];
  throw new Failure('configuration', 'BAD_SETTING', `${where} must be 32 bytes as base64 or 64 hexadecimal digits.`);
}
