import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface DeclaredName {
  name: string;
  /** The file, relative to the repository. */
  file: string;
  isExported: boolean;
}

/** Files of every kind below the folders that git tracks or would track. */
export function trackedFiles(...folders: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
}

/** TypeScript files below a folder that git tracks or would track. */
export const sourceFiles = (folder: string): string[] => trackedFiles(folder).filter((file) => file.endsWith('.ts'));

/** Every name that a file declares: functions, types, variables, parameters, and members of types and classes. */
export function declaredNames(file: string): DeclaredName[] {
  const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  const found: DeclaredName[] = [];
  const add = (node: unknown, isExported: boolean) => {
    for (const name of boundNames(node)) found.push({ name, file, isExported });
  };
  const visit = (node: unknown, isExported: boolean): void => {
    if (Array.isArray(node)) {
      for (const child of node) visit(child, isExported);
      return;
    }
    if (!isNode(node)) return;
    const declared = declarators[node.type];
    if (declared) for (const key of declared) add(node[key], isExported && key === 'id');
    // Only the declaration itself is exported, not the names inside of it.
    const isExport = node.type === 'ExportNamedDeclaration';
    const passesOn = isExport || (isExported && node.type === 'VariableDeclaration');
    for (const [key, child] of Object.entries(node))
      if (key !== 'type') visit(child, passesOn && ['declaration', 'declarations'].includes(key));
  };
  visit(program, false);
  return found;
}

/** Exports and re-exports that give a second name, such as `a as b`. `file` is for errors of the parser. */
export function renamedExports(file: string, source: string): string[] {
  return parseSync(file, source).program.body.flatMap((statement) => {
    if (statement.type === 'ExportAllDeclaration')
      return statement.exported ? [`* as ${nameOf(statement.exported)}`] : [];
    if (statement.type !== 'ExportNamedDeclaration') return [];
    return statement.specifiers
      .map(({ local, exported }) => [nameOf(local), nameOf(exported)])
      .filter(([local, exported]) => local !== exported)
      .map(([local, exported]) => `${local} as ${exported}`);
  });
}

type ModuleExportName = { type: 'Literal'; value: string } | { type: 'Identifier'; name: string };

const nameOf = (node: ModuleExportName): string => (node.type === 'Literal' ? node.value : node.name);

/** Kinds of syntax nodes that declare names, with the keys of those names. */
const declarators: Record<string, string[]> = {
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['params'],
  ArrowFunctionExpression: ['params'],
  TSFunctionType: ['params'],
  VariableDeclarator: ['id'],
  ClassDeclaration: ['id'],
  TSInterfaceDeclaration: ['id'],
  TSTypeAliasDeclaration: ['id'],
  TSPropertySignature: ['key'],
  TSMethodSignature: ['key', 'params'],
  PropertyDefinition: ['key'],
  MethodDefinition: ['key'],
};

type SyntaxNode = Record<string, unknown> & { type: string };

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The names that a pattern binds: `{ a, b: [c], ...d }` binds a, c and d. */
function boundNames(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(boundNames);
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Identifier':
      return typeof node['name'] === 'string' ? [node['name']] : [];
    case 'ObjectPattern':
      return boundNames(node['properties']);
    case 'ArrayPattern':
      return boundNames(node['elements']);
    case 'Property':
      return boundNames(node['value']);
    case 'AssignmentPattern':
      return boundNames(node['left']);
    case 'RestElement':
      return boundNames(node['argument']);
    case 'TSParameterProperty':
      return boundNames(node['parameter']);
    default:
      return [];
  }
}
