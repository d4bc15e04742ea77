import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Parser, Tree, TreeCursor } from 'web-tree-sitter';
import type { ParsedSource, SyntaxNode } from './syntax-tree.ts';

const runtimeFile = 'web-tree-sitter/web-tree-sitter.wasm';
/** The files of the grammars, by language, each in the npm package of its language. */
const grammarFiles = {
  javascript: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  typescript: 'tree-sitter-typescript/tree-sitter-typescript.wasm',
  tsx: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
  python: 'tree-sitter-python/tree-sitter-python.wasm',
  go: 'tree-sitter-go/tree-sitter-go.wasm',
  java: 'tree-sitter-java/tree-sitter-java.wasm',
} as const;
/** All files that the release copies beside its modules. */
export const parserFiles: readonly string[] = [runtimeFile, ...Object.values(grammarFiles)];
type Grammar = keyof typeof grammarFiles;

const grammarsByExtension: Readonly<Record<string, Grammar>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  py: 'python',
  go: 'go',
  java: 'java',
};

/** The grammar of a file by its extension; undefined for a language without one. */
export function grammarOf(path: string): Grammar | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(grammarsByExtension, extension) ? grammarsByExtension[extension] : undefined;
}

const MAX_CHARACTERS = 1_000_000;

/** Parses source files. Loads the parser with the first file and each grammar with the first file of its language. */
export class SourceParser {
  readonly #parsers = new Map<Grammar, Promise<Parser>>();

  /** Undefined for a language without a grammar and for a file that is too large to be written by hand. */
  async parse(path: string, text: string): Promise<ParsedSource | undefined> {
    const grammar = grammarOf(path);
    if (grammar === undefined || text.length > MAX_CHARACTERS) return undefined;
    const parser = this.#parsers.get(grammar) ?? loadParser(grammar);
    this.#parsers.set(grammar, parser);
    const tree = (await parser).parse(text);
    if (!tree) return undefined;
    try {
      return { root: readTree(tree, text), hasErrors: tree.rootNode.hasError };
    } finally {
      tree.delete();
    }
  }
}

async function loadParser(grammar: Grammar): Promise<Parser> {
  const { Parser: TreeSitter, Language } = await import('web-tree-sitter');
  await TreeSitter.init({ locateFile: () => findWasm(runtimeFile) });
  const parser = new TreeSitter();
  parser.setLanguage(await Language.load(findWasm(grammarFiles[grammar])));
  return parser;
}

/** The release has the files in a folder beside its modules; the sources read them from their packages. */
function findWasm(path: string): string {
  const released = join(dirname(fileURLToPath(import.meta.url)), 'grammars', path.slice(path.indexOf('/') + 1));
  return existsSync(released) ? released : createRequire(import.meta.url).resolve(path);
}

/** Copies the tree out of the memory of the parser, because every access there is a call into WebAssembly. */
function readTree(tree: Tree, text: string): SyntaxNode {
  const cursor = tree.walk();
  try {
    return readNode(cursor, text);
  } finally {
    cursor.delete();
  }
}

const MAX_DEPTH = 500;

function readNode(cursor: TreeCursor, text: string, depth = 0): SyntaxNode {
  const children: SyntaxNode[] = [];
  const node = {
    type: cursor.nodeType,
    field: cursor.currentFieldName ?? undefined,
    text: text.slice(cursor.startIndex, cursor.endIndex),
    line: cursor.startPosition.row + 1,
    children,
  };
  if (depth < MAX_DEPTH && cursor.gotoFirstChild()) {
    do {
      if (cursor.nodeIsNamed || cursor.currentFieldName) children.push(readNode(cursor, text, depth + 1));
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return node;
}
