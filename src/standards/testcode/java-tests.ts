import type { InspectedTest } from './inspected-test.ts';
import {
  type AssertionRules,
  assertingName,
  type CallChain,
  findAssertingHelpers,
  findConstants,
  surveyAssertions,
} from './survey-assertions.ts';
import { childOf, childrenOfType, type ParsedSource, type SyntaxNode, walkTree } from './syntax-tree.ts';

function readCall(node: SyntaxNode): CallChain | undefined {
  if (node.type !== 'method_invocation') return undefined;
  const names: string[] = [];
  const inputs: SyntaxNode[] = [];
  const collect = (part: SyntaxNode | undefined): void => {
    if (part?.type === 'method_invocation') {
      collect(childOf(part, 'object'));
      names.push(childOf(part, 'name')?.text ?? '');
      inputs.push(...(childOf(part, 'arguments')?.children ?? []));
    } else if (part?.type === 'field_access' || part?.type === 'identifier') names.push(...part.text.split('.'));
  };
  collect(node);
  return { names, inputs, last: childOf(node, 'arguments')?.children ?? [] };
}

const rules: AssertionRules = {
  readCall,
  isAssertion({ names, inputs }) {
    const index = names.findIndex((name) => assertingName.test(name));
    if (index < 0) return false;
    // assertThat(x) alone compares nothing; with a matcher or a following call it does.
    return names[index] !== 'assertThat' || index < names.length - 1 || inputs.length >= 2;
  },
  comparedValues(_node, call) {
    // What a helper compares is in the helper.
    if (!call || !comparison.test(call.names.find((name) => assertingName.test(name)) ?? '')) return [];
    const last = call.names.at(-1) ?? '';
    if (/Throws|DoesNotThrow|Timeout/.test(last)) return [];
    const values = call.inputs.filter(({ type }) => type !== 'lambda_expression');
    return /^assert(?:True|False|Null|NotNull)$|^is(?:True|False|Null|NotNull)$/.test(last)
      ? values.slice(0, 1)
      : values.slice(0, 2);
  },
  assertingTypes: ['throw_statement', 'assert_statement'],
  functionTypes: ['lambda_expression', 'method_declaration'],
  literalTypes: [
    'string_literal',
    'decimal_integer_literal',
    'decimal_floating_point_literal',
    'true',
    'false',
    'null_literal',
    'character_literal',
    'string_fragment',
  ],
  constantNames: [],
  presence: /(?:^|\.)(?:assertNotNull|isNotNull|isNotEmpty)$/,
};

const comparison = /^assert(?:That|True|False|Null|NotNull|Equals|NotEquals|Same|NotSame|ArrayEquals|IterableEquals)$/;
const testAnnotation = /^@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b/;
const skipAnnotation = /^@(?:[\w.]+\.)?(?:Disabled|Ignore)/;

/** Finds the tests of JUnit 3, 4 and 5 and TestNG. */
export function inspectJava(file: string, { root }: ParsedSource): InspectedTest[] {
  const methods = [...walkTree(root)].filter(({ type }) => type === 'method_declaration');
  const constants = findConstants(bindings(root), rules);
  const functions = methods.map((node) => ({ name: childOf(node, 'name')?.text ?? '', body: childOf(node, 'body') }));
  const helpers = findAssertingHelpers(
    functions.filter((_, index) => !methods[index] || !isTest(methods[index], false)),
    rules,
    constants,
  );
  const tests: InspectedTest[] = [];
  const visit = (node: SyntaxNode, suites: readonly string[], isSkipped: boolean): void => {
    for (const child of node.children) {
      const skipped = isSkipped || annotationsOf(child).some((text) => skipAnnotation.test(text));
      if (child.type === 'class_declaration')
        visit(childOf(child, 'body') ?? child, [...suites, childOf(child, 'name')?.text ?? ''], skipped);
      else if (child.type === 'method_declaration' && isTest(child, /extends\s+\w*TestCase/.test(root.text)))
        tests.push(inspectMethod(file, child, suites, skipped, { constants, helpers }));
    }
  };
  visit(root, [], false);
  return tests;
}

function isTest(method: SyntaxNode, isTestCase: boolean): boolean {
  if (annotationsOf(method).some((text) => testAnnotation.test(text))) return true;
  return isTestCase && /^test/.test(childOf(method, 'name')?.text ?? '');
}

function inspectMethod(
  file: string,
  method: SyntaxNode,
  suites: readonly string[],
  isSkipped: boolean,
  facts: { constants: ReadonlySet<string>; helpers: ReadonlySet<string> },
): InspectedTest {
  const annotations = annotationsOf(method);
  const display = annotations.flatMap((text) => /^@DisplayName\(\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? []);
  const survey = surveyAssertions(childOf(method, 'body'), rules, facts);
  const expectsError = annotations.some((text) => /^@(?:\w+\.)*Test\(.*\bexpected/.test(text));
  return {
    file,
    line: method.line,
    suites,
    title: childOf(method, 'name')?.text ?? '',
    aliases: display,
    isSkipped: isSkipped || annotations.some((text) => /\benabled\s*=\s*false/.test(text)),
    isFocused: false,
    isParameterized: annotations.some((text) => /ParameterizedTest|RepeatedTest|TestFactory/.test(text)),
    ...(expectsError ? { ...survey, verdict: 'asserts' as const, assertions: Math.max(1, survey.assertions) } : survey),
  };
}

function annotationsOf(node: SyntaxNode): string[] {
  return childrenOfType(node, 'modifiers').flatMap(({ children }) =>
    children.filter(({ type }) => /annotation$/.test(type)).map(({ text }) => text),
  );
}

function* bindings(root: SyntaxNode) {
  for (const node of walkTree(root)) {
    if (node.type === 'variable_declarator') yield { name: childOf(node, 'name'), value: childOf(node, 'value') };
    if (node.type === 'assignment_expression') {
      const name = childOf(node, 'left');
      yield { name, value: undefined };
      yield { name, value: undefined };
    }
    if (node.type === 'update_expression') yield { name: node.children[0], value: undefined };
  }
}

export const javaDeclarations = [
  'method_declaration',
  'class_declaration',
  'interface_declaration',
  'enum_declaration',
  'record_declaration',
];
