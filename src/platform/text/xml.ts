import { XMLParser } from 'fast-xml-parser';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** An element with its attributes (`@name`) and children by name. */
export type XmlElement = JsonObject;

const parserOptions = {
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
};
const treeParser = new XMLParser(parserOptions);

/** Parses a report. Throws if it defines entities: no tool writes them, and they can expand without limit. */
export function parseXml(text: string): XmlElement {
  rejectEntities(text);
  const parsed: unknown = treeParser.parse(text);
  if (!isJsonObject(parsed)) throw new Error('it has no elements');
  return parsed;
}

/** What `visitXml` calls. A path has the names of the open elements, e.g. `coverage.sources.source`. */
export interface XmlVisitor {
  element(path: string, attribute: (name: string) => string | undefined): void;
  text(path: string, value: string): void;
}

/** Visits the elements and texts of a report in their order without building a tree. Throws like `parseXml`. */
export function visitXml(text: string, visitor: XmlVisitor): void {
  rejectEntities(text);
  new XMLParser({
    ...parserOptions,
    updateTag(_name, path, attributes: Record<string, string> | undefined) {
      visitor.element(String(path), (name) =>
        attributes && Object.hasOwn(attributes, `@${name}`) ? attributes[`@${name}`] : undefined,
      );
      return false;
    },
    tagValueProcessor(_name, value, path) {
      visitor.text(String(path), value);
      return '';
    },
  }).parse(text);
}

function rejectEntities(text: string): void {
  if (/<!ENTITY/i.test(text)) throw new Error('it defines entities of its own');
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
