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
  if (node.type !== 'call') return undefined;
  const names: string[] = [];
  const inputs: SyntaxNode[] = [];
  const collect = (part: SyntaxNode | undefined): void => {
    if (part?.type === 'call') {
      collect(childOf(part, 'function'));
      inputs.push(...(childOf(part, 'arguments')?.children ?? []));
    } else if (part?.type === 'attribute') {
      collect(childOf(part, 'object'));
      names.push(childOf(part, 'attribute')?.text ?? '');
    } else if (part?.type === 'identifier') names.push(part.text);
    else if (part) inputs.push(part);
  };
  collect(node);
  return { names, inputs, last: childOf(node, 'arguments')?.children ?? [] };
}

const rules: AssertionRules = {
  readCall,
  isAssertion: ({ names }) =>
    names.some((name) => assertingName.test(name)) ||
    /^(?:pytest\.)?(?:raises|warns|deprecated_call)$/.test(names.join('.')),
  comparedValues(node, call) {
    if (node.type === 'assert_statement') return assertedValues(node);
    const name = call?.names.at(-1) ?? '';
    // What a helper compares is in the helper.
    if (
      !call ||
      !/^(?:self|cls)$/.test(call.names[0] ?? '') ||
      !/^assert[A-Z]/.test(name) ||
      /Raises|Warns|Logs|called/i.test(name)
    )
      return [];
    const single = /^assert_?(?:True|False|IsNone|IsNotNone|_)?$/i.test(name);
    return call.last.filter(({ type }) => type !== 'keyword_argument').slice(0, single ? 1 : 2);
  },
  assertingTypes: ['assert_statement', 'raise_statement'],
  functionTypes: ['lambda', 'function_definition'],
  literalTypes: [
    'string',
    'integer',
    'float',
    'true',
    'false',
    'none',
    'ellipsis',
    'string_content',
    'string_start',
    'string_end',
  ],
  constantNames: [],
  presence: /\.(?:assertIsNotNone|assertTrue|assertIsNone|assert_called)$/,
};

/** `assert a == b` compares two values; a tuple with a message is always true. */
function assertedValues(node: SyntaxNode): readonly SyntaxNode[] {
  const [condition] = node.children;
  if (!condition) return [];
  if (condition.type === 'tuple') return [];
  const operands =
    condition.type === 'comparison_operator' ? condition.children.filter(({ field }) => field !== 'operators') : [];
  return operands.length === 2 ? operands : [condition];
}

/** Finds the tests of pytest and unittest. */
export function inspectPython(file: string, { root }: ParsedSource): InspectedTest[] {
  const constants = findConstants(bindings(root), rules);
  const functions = [...walkTree(root)]
    .filter(({ type }) => type === 'function_definition')
    .map((node) => ({ name: childOf(node, 'name')?.text ?? '', body: childOf(node, 'body') }));
  const facts = { constants, helpers: findAssertingHelpers(functions, rules, constants) };
  const tests: InspectedTest[] = [];
  const visit = (node: SyntaxNode, suites: readonly string[], isSkipped: boolean): void => {
    const { definition, decorators } = unwrapDecorators(node);
    const skipped = isSkipped || decorators.some((text) => skipMark.test(text));
    const name = childOf(definition, 'name')?.text ?? '';
    if (definition.type === 'class_definition') {
      for (const child of childOf(definition, 'body')?.children ?? []) visit(child, [...suites, name], skipped);
    } else if (definition.type === 'function_definition' && /^test/.test(name)) {
      const body = childOf(definition, 'body');
      const survey = surveyAssertions(body, rules, facts);
      tests.push({
        file,
        line: definition.line,
        suites,
        title: name,
        aliases: [],
        isSkipped: skipped || skipsItself(body),
        isFocused: false,
        isParameterized: decorators.some((text) => text.includes('parametrize')),
        ...(hasTupleAssertion(body) && survey.verdict === 'asserts' && survey.assertions === 1
          ? { ...survey, verdict: 'tautological' as const, assertions: 0 }
          : survey),
      });
    }
  };
  const isModuleSkipped = root.children.some(({ text }) => /^pytestmark\s*=.*mark\.(?:skip|xfail)\b/.test(text));
  for (const node of root.children) visit(node, [], isModuleSkipped);
  return tests;
}

const skipMark = /mark\.(?:skip|skipif|xfail)\b|unittest\.(?:skip|expectedFailure)|^@skip/;

function unwrapDecorators(node: SyntaxNode): { definition: SyntaxNode; decorators: string[] } {
  if (node.type !== 'decorated_definition') return { definition: node, decorators: [] };
  return {
    definition: childOf(node, 'definition') ?? node,
    decorators: childrenOfType(node, 'decorator').map(({ text }) => text),
  };
}

const hasTupleAssertion = (body: SyntaxNode | undefined) =>
  childrenOfType(body, 'assert_statement').some(({ children: [first] }) => first?.type === 'tuple');

/** `pytest.skip()` or `self.skipTest()` as a statement of the body itself. */
function skipsItself(body: SyntaxNode | undefined): boolean {
  return childrenOfType(body, 'expression_statement').some(({ children: [inner] }) =>
    /^(?:pytest\.(?:skip|xfail)|self\.skipTest)$/.test((inner && readCall(inner)?.names.join('.')) ?? ''),
  );
}

function* bindings(root: SyntaxNode) {
  for (const node of walkTree(root)) {
    if (node.type === 'assignment') yield { name: childOf(node, 'left'), value: childOf(node, 'right') };
    if (node.type === 'augmented_assignment' || node.type === 'for_statement' || node.type === 'parameter')
      yield { name: childOf(node, 'left'), value: undefined };
  }
}

export const pythonDeclarations = ['function_definition', 'class_definition'];
