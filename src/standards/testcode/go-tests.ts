import type { InspectedTest } from './inspected-test.ts';
import {
  type AssertionRules,
  assertingName,
  type CallChain,
  type FileFacts,
  findAssertingHelpers,
  findConstants,
  surveyAssertions,
} from './survey-assertions.ts';
import { childOf, childrenOfType, type ParsedSource, type SyntaxNode, walkTree } from './syntax-tree.ts';

function readCall(node: SyntaxNode): CallChain | undefined {
  if (node.type !== 'call_expression') return undefined;
  const names: string[] = [];
  const inputs: SyntaxNode[] = [];
  const collect = (part: SyntaxNode | undefined): void => {
    if (part?.type === 'call_expression') {
      collect(childOf(part, 'function'));
      inputs.push(...(childOf(part, 'arguments')?.children ?? []));
    } else if (part?.type === 'selector_expression') {
      collect(childOf(part, 'operand'));
      names.push(childOf(part, 'field')?.text ?? '');
    } else if (part?.type === 'identifier') names.push(part.text);
    else if (part) inputs.push(part);
  };
  collect(node);
  return { names, inputs, last: childOf(node, 'arguments')?.children ?? [] };
}

const failingMethod = /^(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/;

const rules: AssertionRules = {
  readCall,
  isAssertion: ({ names, last }) =>
    failingMethod.test(names.at(-1) ?? '') ||
    names.some((name) => assertingName.test(name) || /^(?:require|assert|is|qt|be)$/.test(name)) ||
    // A helper that gets the test can fail it.
    (names.at(-1) !== 'Run' && last.some(({ type, text }) => type === 'identifier' && /^(?:t|tb|f)$/.test(text))),
  comparedValues(_node, call) {
    if (!call || failingMethod.test(call.names.at(-1) ?? '')) return [];
    const values = call.last.filter(({ type, text }) => !(type === 'identifier' && /^(?:t|tb|f|a)$/.test(text)));
    const single = /^(?:True|False|Nil|NotNil|NoError|Error|Empty|NotEmpty)f?$/.test(call.names.at(-1) ?? '');
    return /^(?:assert|require|is)$/.test(call.names[0] ?? '') ? values.slice(0, single ? 1 : 2) : [];
  },
  assertingTypes: [],
  functionTypes: ['func_literal', 'function_declaration', 'method_declaration'],
  literalTypes: [
    'interpreted_string_literal',
    'raw_string_literal',
    'int_literal',
    'float_literal',
    'true',
    'false',
    'nil',
    'rune_literal',
    'interpreted_string_literal_content',
    'raw_string_literal_content',
  ],
  constantNames: ['true', 'false', 'nil'],
  presence: /\.(?:NotNil|NotEmpty)$/,
};

/** Finds the tests of the package testing, with their literal subtests. */
export function inspectGo(file: string, { root }: ParsedSource): InspectedTest[] {
  const functions = [...walkTree(root)].filter(({ type }) => /^(?:function|method)_declaration$/.test(type));
  const constants = findConstants(bindings(root), rules);
  const named = functions.map((node) => ({ name: childOf(node, 'name')?.text ?? '', body: childOf(node, 'body') }));
  const helpers = named.filter(({ name }) => !/^(?:Test|Fuzz|Example|Benchmark)/.test(name));
  const facts = { constants, helpers: findAssertingHelpers(helpers, rules, constants) };
  return functions.flatMap((node) => {
    const name = childOf(node, 'name')?.text ?? '';
    if (!/^(?:Test|Fuzz)(?![a-z])/.test(name) || name === 'TestMain') return [];
    return inspectFunction({ file, line: node.line, suites: [], title: name, body: childOf(node, 'body'), facts });
  });
}

interface GoTest {
  file: string;
  line: number;
  suites: readonly string[];
  title: string;
  body: SyntaxNode | undefined;
  facts: FileFacts;
}

function inspectFunction({ file, line, suites, title, body, facts }: GoTest): InspectedTest[] {
  const name = [...suites, title].join('/');
  const subtests = findSubtests(body).flatMap((call) => {
    const [label, action] = readCall(call)?.last ?? [];
    const given = {
      file,
      line: call.line,
      suites: [name],
      title: subtestName(label),
      body: childOf(action, 'body'),
      facts,
    };
    return inspectFunction(given);
  });
  return [
    {
      file,
      line,
      suites,
      title,
      aliases: suites.length === 0 ? [] : [`${suites.join('/')}/${title}`],
      isSkipped: skipsItself(body),
      isFocused: false,
      isParameterized: subtests.some(({ title: inner }) => inner === '*'),
      ...surveyAssertions(body, rules, facts),
    },
    ...subtests,
  ];
}

function findSubtests(body: SyntaxNode | undefined): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const visit = (node: SyntaxNode): void => {
    const call = readCall(node);
    if (call?.names.at(-1) === 'Run' && call.last[1]?.type === 'func_literal') found.push(node);
    else for (const child of node.children) visit(child);
  };
  if (body) visit(body);
  return found;
}

/** Reports write spaces of a subtest as underscores. */
function subtestName(label: SyntaxNode | undefined): string {
  return label && /string_literal$/.test(label.type) ? label.text.slice(1, -1).replaceAll(' ', '_') : '*';
}

/** `t.Skip()` as a statement of the body itself. */
function skipsItself(body: SyntaxNode | undefined): boolean {
  const statements = childrenOfType(body, 'statement_list').flatMap(({ children }) => children);
  return [...statements, ...(body?.children ?? [])].some(
    ({ type, children: [inner] }) =>
      type === 'expression_statement' &&
      /^\w+\.Skip(?:Now|f)?$/.test((inner && readCall(inner)?.names.join('.')) ?? ''),
  );
}

function* bindings(root: SyntaxNode) {
  for (const node of walkTree(root)) {
    if (node.type === 'short_var_declaration' || node.type === 'assignment_statement')
      yield { name: childOf(node, 'left')?.children[0], value: childOf(node, 'right')?.children[0] };
    if (node.type === 'const_spec' || node.type === 'var_spec')
      yield { name: childOf(node, 'name'), value: childOf(node, 'value')?.children[0] };
    if (node.type === 'inc_statement' || node.type === 'dec_statement' || node.type === 'range_clause')
      yield { name: node.children[0], value: undefined };
  }
}

export const goDeclarations = ['function_declaration', 'method_declaration', 'type_spec'];
