import { parseSync } from 'vite';

const mutators = /^(?:add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift)$/;

/** Top-level variables of a module that change after it was loaded: declared with `let`, or mutated in a function. */
export function findModuleState(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const declarations = program.body
    .map((node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : node))
    .flatMap((node) => (node?.type === 'VariableDeclaration' ? [node] : []));
  const namesOf = ({ declarations: variables }: (typeof declarations)[number]) =>
    variables.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  const constants = new Set(declarations.filter(({ kind }) => kind === 'const').flatMap(namesOf));
  const found = new Set(declarations.filter(({ kind }) => kind !== 'const').flatMap(namesOf));
  visitNodes(program, (node) => {
    const changed =
      node['type'] === 'CallExpression' && mutators.test(propertyOf(node['callee']))
        ? node['callee']
        : node['type'] === 'AssignmentExpression'
          ? node['left']
          : undefined;
    const name = objectOf(changed);
    if (name !== undefined && constants.has(name)) found.add(name);
  });
  return [...found];
}

type AstNode = Record<string, unknown>;

const isNode = (value: unknown): value is AstNode => typeof value === 'object' && value !== null;

function visitNodes(value: unknown, visit: (node: AstNode) => void): void {
  if (!isNode(value)) return;
  visit(value);
  for (const child of Object.values(value)) visitNodes(child, visit);
}

/** `a` of `a.b`, `a.b.c` and `a[b]`; undefined for other expressions. */
function objectOf(node: unknown): string | undefined {
  if (!isNode(node) || node['type'] !== 'MemberExpression') return undefined;
  const object = node['object'];
  return isNode(object) && object['type'] === 'Identifier' ? String(object['name']) : objectOf(object);
}

function propertyOf(node: unknown): string {
  const property = isNode(node) && node['type'] === 'MemberExpression' ? node['property'] : undefined;
  return isNode(property) ? String(property['name']) : '';
}
