import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import type { Json } from '../../platform/json.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** Request of the provider, from ASSAY_SMS_REQUEST. */
const smsRequest = z.strictObject({
  method: z.enum(['POST', 'PUT', 'GET']).default('POST'),
  contentType: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/i, 'must be like application/json')
    .default(JSON_TYPE),
  headers: z
    .record(
      z.string().regex(/^[\w-]+$/, 'has a wrong name'),
      z.string().regex(/^[\t\x20-\x7e]*$/, 'must be plain text in one line'),
    )
    .default({}),
  /** An object for JSON and for forms; text for any other content type. */
  body: z.union([z.string(), z.record(z.string(), z.json())]).optional(),
});
type SmsRequest = z.output<typeof smsRequest>;

/** SMS provider of the operator. */
export interface SmsProvider {
  url: string;
  token: string | undefined;
  request: SmsRequest;
  /** Allowed prefixes of numbers; empty allows all. */
  prefixes?: readonly string[];
}

export interface HttpRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** Parses the three SMS settings. Throws if they are invalid. */
export function parseSmsProvider(url: string, token: string | undefined, text: string): SmsProvider {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw invalidSmsSetting('it is not JSON');
  }
  const parsed = smsRequest.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalidSmsSetting(`${issue?.path.join('.') || 'it'}: ${issue?.message}`);
  }
  const provider = { url, token, request: parsed.data };
  checkSmsProvider(provider);
  return provider;
}

function checkSmsProvider({ url, token, request }: SmsProvider): void {
  const { method, contentType, body, headers } = request;
  const kind = kindOf(contentType);
  if (method === 'GET' && body !== undefined)
    throw invalidSmsSetting('a GET has no body; put {to} and {text} into ASSAY_SMS_URL');
  if (body !== undefined && (typeof body === 'string') !== (kind === 'text'))
    throw invalidSmsSetting(
      `body must be ${kind === 'text' ? 'text' : 'an object'} where contentType is ${contentType}`,
    );
  if (kind === 'form' && Object.values(body ?? {}).some((value) => typeof value === 'object'))
    throw invalidSmsSetting('body must hold only plain values where contentType is a form');
  if (kind === 'text' && body === undefined && method !== 'GET')
    throw invalidSmsSetting(`body is missing for ${contentType}`);
  const everything = JSON.stringify([url, body ?? (method === 'GET' ? '' : DEFAULT_BODY), headers]);
  for (const needed of ['{to}', '{text}'])
    if (!everything.includes(needed)) throw invalidSmsSetting(`${needed} is missing in it and in ASSAY_SMS_URL`);
  if (token === undefined && /\{(token|basic)\}/.test(everything))
    throw invalidSmsSetting('it needs ASSAY_SMS_TOKEN, which is not set');
}

const DEFAULT_BODY = { to: '{to}', text: '{text}' };

/** Builds the request for one message. Values are escaped for URL, JSON, form or XML. */
export function buildSmsRequest({ url, token, request }: SmsProvider, to: string, text: string): HttpRequest {
  const { method, contentType, headers } = request;
  const values: Values = { to, text, token: token ?? '', basic: Buffer.from(token ?? '').toString('base64') };
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fillTemplate(value, values)]);
  const shared = {
    url: fillTemplate(url, values, encodeURIComponent),
    method,
    headers: {
      'user-agent': 'assay',
      ...(token !== undefined &&
        Object.keys(headers).length === 0 &&
        !/\{(token|basic)\}/.test(url) && { authorization: `Bearer ${token}` }),
      ...(method !== 'GET' && { 'content-type': contentType }),
      ...Object.fromEntries(own),
    },
  };
  return method === 'GET' ? shared : { ...shared, body: bodyFor(request, values) };
}

type Values = Record<'to' | 'text' | 'token' | 'basic', string>;

function bodyFor({ contentType, body = DEFAULT_BODY }: SmsRequest, values: Values): string {
  if (typeof body === 'string') return fillTemplate(body, values, /xml/i.test(contentType) ? inXml : undefined);
  if (kindOf(contentType) === 'json') return JSON.stringify(fillDeep(body, values));
  const fields = Object.entries(body).map(([name, value]): [string, string] => [
    name,
    fillTemplate(String(value), values),
  ]);
  return new URLSearchParams(fields).toString();
}

function fillDeep(template: Json, values: Values): Json {
  if (typeof template === 'string') return fillTemplate(template, values);
  if (Array.isArray(template)) return template.map((item) => fillDeep(item, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillDeep(value, values)]));
}

function fillTemplate(template: string, values: Values, write = (value: string) => value): string {
  return template.replace(/\{(to|text|token|basic)\}/g, (_, name: keyof Values) => write(values[name]));
}

const inXml = (value: string) => value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function kindOf(contentType: string): 'json' | 'form' | 'text' {
  if (/^[^;]*[/+]json/i.test(contentType)) return 'json';
  return contentType.toLowerCase().startsWith(FORM) ? 'form' : 'text';
}

/** The message does not repeat the setting, because it may contain a secret. */
function invalidSmsSetting(why: string): Failure {
  return new Failure('configuration', 'BAD_SETTING', `ASSAY_SMS_REQUEST cannot be used: ${why}. Correct or unset it.`);
}
