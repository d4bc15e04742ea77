import { Failure, quote } from './errors.ts';

export function parseWhole(raw: string, where: string, least: number, most: number): number {
  if (/^\d{1,9}$/.test(raw) && Number(raw) >= least && Number(raw) <= most) return Number(raw);
  return rejectSetting(where, raw, `a number from ${least} to ${most}`);
}

export function parseSwitch(raw: string | undefined, where: string): boolean {
  if (raw === undefined || ['', '0', 'false', 'no', 'off'].includes(raw.toLowerCase())) return false;
  return ['1', 'true', 'yes', 'on'].includes(raw.toLowerCase()) || rejectSetting(where, raw, 'true or false');
}

/** A bearer token. The message never repeats the value. */
export function parseSecret(raw: string | undefined, where: string): string | undefined {
  if (raw === undefined || /^[\w.~+/=-]{16,}$/.test(raw)) return raw;
  return rejectSetting(where, undefined, 'at least 16 letters, digits or any of . _ ~ + / = -');
}

export function parseUrl(raw: string | undefined, where: string): URL | undefined {
  if (!raw) return undefined;
  const url = URL.parse(raw);
  return url && /^https?:$/.test(url.protocol) ? url : rejectSetting(where, raw, 'an http or https address');
}

/** Throws a `configuration` failure; without `raw` the message does not repeat the value, which may be a secret. */
export function rejectSetting(where: string, raw: string | undefined, allowed: string): never {
  const rule = `${where} must be ${allowed}${raw === undefined ? '' : `, got ${quote(raw)}`}.`;
  throw new Failure('configuration', 'BAD_SETTING', rule);
}
