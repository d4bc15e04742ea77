import { parseDocument } from 'yaml';
import { isJsonObject } from '../../platform/json.ts';
import type { SourceParser } from '../testcode/grammars.ts';
import { childOf, type SyntaxNode } from '../testcode/syntax-tree.ts';

/** Settings of a file: each value with the keys that lead to it. */
export interface TestSetting {
  key: string;
  value: string;
}

/** The configuration files of test, coverage and mutation tools. */
const configurationFile =
  /(?:^|\/)(?:(?:vite|vitest|jest|stryker|playwright|karma|cypress|nyc|ava)\.(?:config|conf|workspace)\.[\w.]+|\.(?:nyc|c8|mocha|coverage)rc(?:\.\w+)?|package\.json|pyproject\.toml|pytest\.ini|tox\.ini|setup\.cfg|codecov\.ya?ml|\.codecov\.ya?ml|phpunit\.xml(?:\.dist)?)$/;

export function isTestConfiguration(path: string): boolean {
  return configurationFile.test(path);
}

/** In files of many tools, the parts that belong to tests. */
const testPart =
  /^(?:scripts\.[^.]*(?:test|cov|check|verify|ci)|jest|nyc|c8|vitest|ava|mocha|stryker|tool[.:](?:pytest|coverage|mutmut)|pytest|coverage|testenv|test)/i;
const sharedFile = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini|vite\.config\.\w+)$/;

/** Reads the settings of a configuration file that concern tests; undefined if it cannot be parsed. */
export async function readTestSettings(
  parser: SourceParser,
  path: string,
  text: string,
): Promise<TestSetting[] | undefined> {
  const all = await readSettings(parser, path, text);
  return sharedFile.test(path) ? all?.filter(({ key }) => testPart.test(key)) : all;
}

async function readSettings(parser: SourceParser, path: string, text: string): Promise<TestSetting[] | undefined> {
  if (/\.[cm]?[jt]s$/.test(path)) {
    const source = await parser.parse(path, text);
    return source && !source.hasErrors ? readObjects(source.root, '') : undefined;
  }
  if (/\.(?:toml|ini|cfg)$|\.coveragerc$/.test(path)) return readSections(text);
  const document = parseDocument(text, { uniqueKeys: false });
  return document.errors.length > 0 ? undefined : flatten(document.toJS({ maxAliasCount: 100 }), '');
}

const below = (key: string, name: string) => (key === '' ? name : `${key}.${name}`);

function flatten(value: unknown, key: string): TestSetting[] {
  if (Array.isArray(value)) return value.flatMap((one) => flatten(one, key));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, one]) => flatten(one, below(key, name)));
  return [{ key, value: String(value) }];
}

/** The literal values in the objects of a program, such as `vitest.config.ts`. */
function readObjects(node: SyntaxNode, key: string): TestSetting[] {
  if (node.type === 'pair') {
    const name = childOf(node, 'key')?.text.replace(/^["']|["']$/g, '') ?? '';
    const value = childOf(node, 'value');
    return value ? readObjects(value, below(key, name)) : [];
  }
  if (/^(?:string|number|true|false|regex|template_string|null)$/.test(node.type))
    return key === '' ? [] : [{ key, value: node.text.replace(/^["'`]|["'`]$/g, '') }];
  return node.children.flatMap((child) => readObjects(child, key));
}

/** `[section]`, `key = value`, and lists over several lines, as in TOML and INI files. */
function readSections(text: string): TestSetting[] {
  const found: TestSetting[] = [];
  let section = '';
  let key = '';
  for (const line of text.split('\n')) {
    const plain = line.replace(/(?:^|\s)[#;].*$/, '').trim();
    if (plain === '') continue;
    const [, header] = /^\[+\s*([^\]]+?)\s*\]+$/.exec(plain) ?? [];
    const [, name, value] = /^([\w.-]+)\s*[=:]\s*(.*)$/.exec(plain) ?? [];
    if (header !== undefined && !/^\s/.test(line)) section = header;
    else if (name !== undefined && !/^\s/.test(line)) {
      key = below(section, name);
      found.push(...splitList(value ?? '').map((one) => ({ key, value: one })));
    } else if (key !== '') found.push(...splitList(plain).map((one) => ({ key, value: one })));
  }
  return found;
}

const splitList = (text: string) =>
  text
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((part) => part.trim().replace(/^["']|["']$/g, ''))
    .filter((part) => part !== '');
