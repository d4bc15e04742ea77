import { goDeclarations, inspectGo } from './go-tests.ts';
import { grammarOf, type SourceParser } from './grammars.ts';
import type { InspectedTest } from './inspected-test.ts';
import { inspectJava, javaDeclarations } from './java-tests.ts';
import { inspectJavaScript, javaScriptDeclarations } from './javascript-tests.ts';
import { inspectPython, pythonDeclarations } from './python-tests.ts';
import { childOf, type ParsedSource, walkTree } from './syntax-tree.ts';

interface TestLanguage {
  inspect(file: string, source: ParsedSource): InspectedTest[];
  /** Nodes that declare a name for other code. */
  declarations: readonly string[];
}

const javaScript: TestLanguage = { inspect: inspectJavaScript, declarations: javaScriptDeclarations };
const languages: Readonly<Record<NonNullable<ReturnType<typeof grammarOf>>, TestLanguage>> = {
  javascript: javaScript,
  typescript: javaScript,
  tsx: javaScript,
  python: { inspect: inspectPython, declarations: pythonDeclarations },
  go: { inspect: inspectGo, declarations: goDeclarations },
  java: { inspect: inspectJava, declarations: javaDeclarations },
};

/** The tests of a file, and the names that it declares. */
export interface InspectedSource {
  tests: InspectedTest[];
  declared: ReadonlySet<string>;
}

/** Inspects a source file. Undefined for languages without a parser, and for text that is not valid in its language. */
export async function inspectSource(
  parser: SourceParser,
  path: string,
  text: string,
): Promise<InspectedSource | undefined> {
  const grammar = grammarOf(path);
  const source = grammar && (await parser.parse(path, text));
  if (!grammar || !source || source.hasErrors) return undefined;
  const language = languages[grammar];
  const declared = new Set<string>();
  for (const node of walkTree(source.root)) {
    const name = language.declarations.includes(node.type) ? childOf(node, 'name') : undefined;
    if (name && name.children.length === 0) declared.add(name.text);
  }
  return { tests: language.inspect(path, source), declared };
}
