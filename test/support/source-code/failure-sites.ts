import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { sourceFiles } from './declared-names.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A `new Failure(…)` of the sources, or the call of a function that makes one from its parameters. */
export interface FailureSite {
  /** The file and line. */
  where: string;
  file: string;
  /** The code, with `*` for every part that is computed; `*` alone if nothing of it is known. */
  code: string;
  /** The message with `…` for every part that is computed. */
  message: string;
  /** The details say what to do next. */
  hasHint: boolean;
}

type AstNode = Record<string, unknown> & { type: string; start: number; end: number };
interface Module {
  file: string;
  source: string;
  /** Functions with a name, with those inside of them. */
  functions: { name: string; node: AstNode; parameters: AstNode[] }[];
  program: AstNode;
}

const HINT_KEYS = new Set(['hint', 'corrective_action']);
const MOST_CALLS = 3;

/** Every place of these folders where a failure is made; not where the code of another failure is passed on. */
export function findFailureSites(folders: readonly string[]): FailureSite[] {
  const files = folders.flatMap((folder) => sourceFiles(folder)).filter((file) => !file.endsWith('.test.ts'));
  const modules = files.map(readModule);
  return modules.flatMap((module) =>
    nodesIn(module.program)
      .filter((node) => node.type === 'NewExpression' && nameOf(node['callee']) === 'Failure')
      .filter((node) => nameOf(argumentsOf(node)[1]?.['property']) !== 'code')
      .flatMap((node) => sitesOf(modules, module, node, argumentsOf(node), MOST_CALLS)),
  );
}

function readModule(file: string): Module {
  const source = readFileSync(join(root, file), 'utf8');
  const program = asNode(parseSync(file, source).program);
  const functions = nodesIn(program).flatMap((node) => {
    if (node.type === 'FunctionDeclaration')
      return [{ name: nameOf(node['id']), node, parameters: childrenOf(node['params']) }];
    const init = node.type === 'VariableDeclarator' ? asOptionalNode(node['init']) : undefined;
    if (init?.type !== 'ArrowFunctionExpression') return [];
    return [{ name: nameOf(node['id']), node: init, parameters: childrenOf(init['params']) }];
  });
  return { file, source, functions, program };
}

/** The arguments of a failure, by the calls of the function if they are its parameters. */
function sitesOf(
  modules: readonly Module[],
  module: Module,
  node: AstNode,
  [, code, message, details]: readonly (AstNode | undefined)[],
  depth: number,
): FailureSite[] {
  const text = describe(module, node, message);
  const site = {
    where: `${module.file}:${module.source.slice(0, node.start).split('\n').length}`,
    file: module.file,
    code: describe(module, node, code, '*'),
    message: text,
    hasHint: hasHint(module, node, details),
  };
  const maker = enclosing(module, node);
  const position = maker?.parameters.findIndex((parameter) => nameOf(parameter) === nameOf(message)) ?? -1;
  if (!maker || message?.type !== 'Identifier' || position < 0 || depth === 0) return [site];
  const calls = modules.flatMap((caller) =>
    nodesIn(caller.program)
      .filter((call) => call.type === 'CallExpression' && nameOf(call['callee']) === maker.name)
      .map((call) => ({ caller, call })),
  );
  const given = (call: AstNode, argument: AstNode | undefined) => {
    const index = maker.parameters.findIndex((parameter) => nameOf(parameter) === nameOf(argument));
    return argument?.type === 'Identifier' && index >= 0 ? argumentsOf(call)[index] : argument;
  };
  return calls.flatMap(({ caller, call }) => {
    const passed = maker.parameters.length === 0 ? [] : argumentsOf(call);
    const more = passed.some((argument) => hasHint(caller, call, argument));
    return sitesOf(
      modules,
      caller,
      call,
      [undefined, given(call, code), argumentsOf(call)[position], details],
      depth - 1,
    ).map((found) => ({ ...found, hasHint: found.hasHint || site.hasHint || more }));
  });
}

/** The texts that an expression can have, with `unknown` for what is computed. */
function describe(module: Module, from: AstNode, node: AstNode | undefined, unknown = '…', depth = 4): string {
  if (!node || depth === 0) return unknown;
  const again = (part: unknown) => describe(module, from, asOptionalNode(part), unknown, depth - 1);
  if (node.type === 'Literal') return String(node['value']);
  if (node.type === 'ConditionalExpression') return again(node['consequent']);
  if (node.type === 'CallExpression') {
    const called = module.functions.find(({ name }) => name !== '' && name === nameOf(node['callee']))?.node['body'];
    return isNode(called) && called.type === 'TemplateLiteral' ? again(called) : unknown;
  }
  if (node.type === 'TemplateLiteral') {
    const expressions = childrenOf(node['expressions']);
    return childrenOf(node['quasis'])
      .map((quasi, index) => {
        const { cooked } = quasi['value'] as { cooked: string };
        return cooked + (expressions[index] ? again(expressions[index]) : '');
      })
      .join('');
  }
  if (node.type === 'Identifier') {
    const value = initializerOf(module, from, nameOf(node));
    return value ? again(value) : unknown;
  }
  return unknown;
}

function hasHint(module: Module, from: AstNode, details: AstNode | undefined): boolean {
  if (details?.type === 'Identifier') return hasHint(module, from, initializerOf(module, from, nameOf(details)));
  if (details?.type !== 'ObjectExpression') return false;
  return childrenOf(details['properties']).some((property) => {
    if (property.type !== 'SpreadElement') return HINT_KEYS.has(nameOf(property['key']));
    const spread = asOptionalNode(property['argument']);
    if (spread?.type !== 'MemberExpression') return false;
    // Of a table each entry must have one.
    const table = initializerOf(module, from, nameOf(spread['object']));
    const entries = table?.type === 'ObjectExpression' ? childrenOf(table['properties']) : [];
    return entries.length > 0 && entries.every(({ value }) => hasHint(module, from, asOptionalNode(value)));
  });
}

/** The value of a constant of the same function, or of the module. */
function initializerOf(module: Module, from: AstNode, name: string): AstNode | undefined {
  const declared = nodesIn(module.program).filter(
    (node) => node.type === 'VariableDeclarator' && nameOf(node['id']) === name,
  );
  const inside = enclosing(module, from)?.node;
  const near = declared.filter(({ start }) => inside && start > inside.start && start < from.start);
  return asOptionalNode((near.at(-1) ?? declared.at(-1))?.['init']);
}

function enclosing({ functions }: Module, { start, end }: AstNode) {
  return functions.filter(({ node }) => node.start < start && node.end >= end).at(-1);
}

const isNode = (value: unknown): value is AstNode => typeof value === 'object' && value !== null && 'type' in value;
const asOptionalNode = (value: unknown): AstNode | undefined => (isNode(value) ? value : undefined);
const childrenOf = (value: unknown): AstNode[] => (Array.isArray(value) ? value.filter(isNode) : []);
const argumentsOf = (node: AstNode): AstNode[] => childrenOf(node['arguments']);

function asNode(value: unknown): AstNode {
  if (!isNode(value)) throw new Error('Expected a syntax node.');
  return value;
}

/** The name of an identifier or a parameter with a default; empty for other nodes. */
function nameOf(value: unknown): string {
  if (!isNode(value)) return '';
  if (value.type === 'AssignmentPattern') return nameOf(value['left']);
  return typeof value['name'] === 'string' ? value['name'] : '';
}

function nodesIn(value: unknown): AstNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== 'object' || value === null) return [];
  return [...(isNode(value) ? [value] : []), ...Object.values(value).flatMap(nodesIn)];
}
