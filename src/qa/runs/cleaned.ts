import type { Json } from '../../platform/json.ts';

/** Every text in it as the redactor leaves it. The names of its fields are our own words, and stay. */
export function cleaned(json: Json, redact: (text: string) => string): Json {
  if (typeof json === 'string') return redact(json);
  if (Array.isArray(json)) return json.map((one) => cleaned(one, redact));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, inside]) => [name, cleaned(inside, redact)]));
}
