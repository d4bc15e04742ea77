import { isJsonObject, type Json } from '../../../platform/json.ts';

const MAX_OPTIONS = 40;
const MAX_ITEMS = 100;

/** The text block of the response: long lists are cut, and their lengths stated. */
export function pageInfoText(info: object): string {
  return JSON.stringify(shortened(JSON.parse(JSON.stringify(info)), MAX_ITEMS));
}

function shortened(value: Json, most: number): Json {
  if (Array.isArray(value)) {
    const kept = value.slice(0, most).map((item) => shortened(item, MAX_ITEMS));
    return value.length > most ? [...kept, `… and ${value.length - most} more`] : kept;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    shortened(item, key === 'options' ? MAX_OPTIONS : MAX_ITEMS),
  ]);
  return Object.fromEntries(entries);
}
