import { type Document, isCollection, isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from 'yaml';

type Severity = 'error' | 'warning';

/** A problem of a YAML file, with its position. */
export interface SpecProblem {
  severity: Severity;
  /** Stable, for machines: `missing`, `type`, `budget.loose` … */
  rule: string;
  file: string;
  /** `/scope/in/0`; empty for the whole file. */
  path: string;
  line: number;
  column: number;
  message: string;
  suggestion?: string | undefined;
}

/** A parsed YAML file with the position of each value. */
export interface YamlSource {
  file: string;
  /** Plain data; undefined if the text is not YAML. */
  value: unknown;
  document: Document;
  problems: SpecProblem[];
  /** The position of a value; of a missing one, that of its nearest parent. */
  position(path: readonly PropertyKey[]): { line: number; column: number };
}

const MAX_ALIASES = 100;
const MAX_DEPTH = 64;

export function parseYaml(text: string, file: string): YamlSource {
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (isNestedTooDeep(text)) return unparsedSource(file, `nested more than ${MAX_DEPTH} deep`);
  let document: Document;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  } catch (error) {
    return unparsedSource(file, error instanceof Error ? error.message : 'it cannot be parsed');
  }
  const problems = document.errors.map<SpecProblem>(({ pos, code, message }) => ({
    severity: 'error',
    rule: `yaml.${code.toLowerCase()}`,
    file,
    path: '',
    ...at(pos[0]),
    message: `Not valid YAML: ${message.split('\n', 1)[0]}`,
    suggestion: 'Fix the YAML at this line: indent with spaces, and write each key once',
  }));
  const position = (path: readonly PropertyKey[]) => at(offsetOf(document, path));
  let value: unknown;
  try {
    value = problems.length === 0 ? document.toJS({ maxAliasCount: MAX_ALIASES }) : undefined;
  } catch {
    problems.push({
      ...wholeFile(file),
      rule: 'yaml.aliases',
      message: 'Not usable YAML: its aliases expand without limit',
    });
  }
  return { file, value, document, problems, position };
}

function unparsedSource(file: string, why: string): YamlSource {
  const problem = { ...wholeFile(file), rule: 'yaml.syntax', message: `Not usable YAML: ${why}` };
  return {
    file,
    value: undefined,
    document: parseDocument(''),
    problems: [problem],
    position: () => ({ line: 1, column: 1 }),
  };
}

function wholeFile(file: string): Omit<SpecProblem, 'rule' | 'message'> {
  return { severity: 'error', file, path: '', line: 1, column: 1 };
}

/** Deep nesting overflows the stack of the parser, so it is rejected before parsing. */
function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return true;
  }
  return /^(?:- ){64}/m.test(text);
}

/** The offset of the key of a value, which is what a reader looks for; of a missing value, that of its parent. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const part of path) {
    if (!isCollection(node)) break;
    const pair = isMap(node)
      ? node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(part))
      : undefined;
    const next: unknown = pair ? pair.value : isMap(node) ? undefined : node.get(Number(part), true);
    const found = (pair && isNode(pair.key) ? startOf(pair.key) : undefined) ?? startOf(next);
    if (found === undefined) break;
    offset = found;
    node = isPair(next) ? next.value : next;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
