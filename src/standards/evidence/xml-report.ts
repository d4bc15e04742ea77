import { XMLParser } from 'fast-xml-parser';
import { isJsonObject, type Json, type JsonObject } from '../../platform/json.ts';

/** An element with its attributes (`@name`) and children by name. */
export type XmlElement = JsonObject;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  maxNestedTags: 64,
  processEntities: {
    enabled: true,
    maxTotalExpansions: Number.MAX_SAFE_INTEGER,
    maxExpandedLength: Number.MAX_SAFE_INTEGER,
  },
});

/** Parses a report. Throws if it defines entities: no tool writes them, and they can expand without limit. */
export function parseXml(text: string): XmlElement {
  if (/<!ENTITY/i.test(text)) throw new Error('it defines entities of its own');
  const parsed: unknown = parser.parse(text);
  if (!isJsonObject(parsed)) throw new Error('it has no elements');
  return parsed;
}

/** The children with a name, always as a list. */
export function xmlChildren(element: XmlElement, name: string): XmlElement[] {
  const found: Json | undefined = Object.hasOwn(element, name) ? element[name] : undefined;
  if (found === undefined) return [];
  // The parser returns an element without attributes and children as an empty string.
  return (Array.isArray(found) ? found : [found]).map((child) => (isJsonObject(child) ? child : {}));
}

export function xmlAttribute(element: XmlElement, name: string): string | undefined {
  const value = Object.hasOwn(element, `@${name}`) ? element[`@${name}`] : undefined;
  return typeof value === 'string' ? value : undefined;
}
