import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { UNTRUSTED_KEY } from '../../../src/server/served-surface.ts';
import type { Connection } from '../assay.ts';
import { MARKER } from './marker.ts';

/** Characters that no output may contain unescaped: control characters but tab and line ends, direction marks, tags outside of flags. */
export const forbidden =
  /(?![\t\n\r])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}|(?<!🏴[\u{e0030}-\u{e007a}]{0,6})[\u{e0001}-\u{e007f}]/u;

/** A text as a hostile page, repository or document writes it. It starts with the given words. */
export function hostileText(words: string): string {
  return `${words}\u001b[31mred\u001b]0;owned\u0007\u009b2J\u202e${MARKER}.\u2066\u200f\u{e0069}\u{e0067}\u200b!`;
}

/** The same without slash, line break and bell: for file names and branches. */
export const hostileName = `na\u001b[31mme${MARKER}\u202e\u009b2J\u{e0069}`;

/** Every string of data, with keys, and with the strings of JSON inside a string. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...(/^[{[]/.test(value) ? stringsOf(parsed(value)) : [])];
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(stringsOf)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Expects that no string of the data has a forbidden character. */
export function expectClean(data: unknown, where: string): void {
  for (const text of stringsOf(data)) expectCleanText(text, where);
}

function expectCleanText(text: string, where: string): void {
  const found = forbidden.exec(text);
  if (!found) return;
  const around = text.slice(Math.max(0, found.index - 40), found.index + 40);
  expect.unreachable(`${where}: ${JSON.stringify(around)}`);
}

/** Expects clean text files below a folder and returns their names. JSON may have escapes: locators need the exact text. */
export async function expectCleanFiles(path: string): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(csv|jsonl?|html|md|sarif|xml|log|ts|yaml|txt)$/.test(entry.name)) continue;
    const text = (await readFile(join(entry.parentPath, entry.name), 'utf8')).replace(/^\uFEFF/, '');
    expectCleanText(text, entry.name);
    names.push(entry.name);
  }
  return names;
}

interface ToolReply {
  structuredContent?: unknown;
  isError?: boolean | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** The positions of markers in data, and those of them that no declared position covers. */
export function findMarked(data: unknown, declared: readonly unknown[]): { all: string[]; undeclared: string[] } {
  const patterns = declared.map((position) => String(position).split(/(?=\[\])|\./));
  const isDeclared = (path: readonly string[]) =>
    patterns.some((steps) =>
      steps.every((step, index) => step === path[index] || (step === '*' && index < path.length)),
    );
  const paths = markedPaths(data, []);
  const print = (some: readonly (readonly string[])[]) => [...new Set(some.map((path) => path.join('.')))];
  return { all: print(paths), undeclared: print(paths.filter((path) => !isDeclared(path))) };
}

/**
 * Expects that a result declares the position of every marker as untrusted, and returns the positions. An error declares none:
 * the instructions say that its message may quote texts.
 */
export function expectDeclared({ structuredContent, isError, _meta }: ToolReply, where: string): string[] {
  if (isError) return [];
  const declared = _meta?.[UNTRUSTED_KEY];
  const { all, undeclared } = findMarked(structuredContent, Array.isArray(declared) ? declared : []);
  expect.soft(undeclared, `${where}: undeclared positions`).toEqual([]);
  return all;
}

/** Steps to every string and key with the marker; `[]` is an entry of a list. */
function markedPaths(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (typeof value === 'string') return value.includes(MARKER) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => markedPaths(item, [...path, '[]']));
  return Object.entries(value).flatMap(([key, item]) => [
    ...(key.includes(MARKER) ? [[...path, key]] : []),
    ...markedPaths(item, [...path, key]),
  ]);
}

/** The same connection, which expects every result and error of a tool to be clean, and its untrusted texts to be declared. */
export function expectingClean(client: Connection): Connection {
  const callTool: Connection['callTool'] = async (params, ...rest) => {
    const result = await client.callTool(params, ...rest);
    expectClean([result.structuredContent, result.content], params.name);
    expectDeclared(result, params.name);
    return result;
  };
  return new Proxy(client, {
    get: (target, key) => (key === 'callTool' ? callTool : Reflect.get(target, key, target)),
  });
}
