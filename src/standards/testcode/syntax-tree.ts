/** A node of a parsed file: named nodes, and operators and keywords that fill a field. */
export interface SyntaxNode {
  type: string;
  /** Its role in the parent, such as `name` or `arguments`. */
  field: string | undefined;
  text: string;
  /** First line, from 1. */
  line: number;
  children: readonly SyntaxNode[];
}

export interface ParsedSource {
  root: SyntaxNode;
  /** Whether the parser had to skip parts that are not valid in the language. */
  hasErrors: boolean;
}

/** The child with a role, such as the `body` of a function. */
export function childOf(node: SyntaxNode | undefined, field: string): SyntaxNode | undefined {
  return node?.children.find((child) => child.field === field);
}

export function childrenOfType(node: SyntaxNode | undefined, ...types: string[]): SyntaxNode[] {
  return node?.children.filter(({ type }) => types.includes(type)) ?? [];
}

/** A node and everything below it, parents first. */
export function* walkTree(node: SyntaxNode): Generator<SyntaxNode> {
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    for (let at = next.children.length - 1; at >= 0; at--) open.push(next.children[at] as SyntaxNode);
  }
}
