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

const functionTypes = [
  'arrow_function',
  'function_expression',
  'function_declaration',
  'generator_function',
  'method_definition',
];

/** `a.b(x).c(y)` is the names a, b, c with the inputs x, y. */
function readCall(node: SyntaxNode): CallChain | undefined {
  if (node.type !== 'call_expression') return undefined;
  const names: string[] = [];
  const inputs: SyntaxNode[] = [];
  const collect = (part: SyntaxNode | undefined): void => {
    if (!part) return;
    if (part.type === 'call_expression') {
      collect(childOf(part, 'function'));
      const given = childOf(part, 'arguments');
      if (given) inputs.push(...(given.type === 'template_string' ? [given] : given.children));
    } else if (part.type === 'member_expression') {
      collect(childOf(part, 'object'));
      names.push(childOf(part, 'property')?.text ?? '');
    } else if (part.type === 'subscript_expression') {
      collect(childOf(part, 'object'));
      names.push('*');
    } else if (/identifier$|^this$|^super$/.test(part.type)) names.push(part.text);
    else if (/^(?:parenthesized|await|non_null)/.test(part.type)) collect(part.children[0]);
    else inputs.push(part);
  };
  collect(node);
  return { names, inputs, last: childOf(node, 'arguments')?.children ?? [] };
}

/** Modules whose functions assert under any name. */
const assertionModules = /(?:^|[/:-])(?:assert|chai|expect|should|power-assert|unexpected|earl)(?:$|[/-])/;
/** Chai asserts with properties: `expect(x).to.be.true`. */
const chaiProperty = /\.(?:to|be|been|is|not|have|should)\.(?:\w+\.)*\w+;?$/;
const isChaiChain = (text: string) => /\bexpect\s*\(|\.should\./.test(text) && chaiProperty.test(text.trim());

function createRules(imported: ReadonlySet<string>): AssertionRules {
  const rules: AssertionRules = {
    readCall,
    isAssertion({ names }, node, parent) {
      const [first = ''] = names;
      const last = names.at(-1) ?? '';
      if (isUnawaitedPromise(names, parent)) return false;
      if (first === 'require' || first === 'import') return false;
      // A lone expect(x) compares nothing.
      if (names.length === 1 && /^expect/.test(first)) return first !== 'expect' && !/^expectTypeOf$/.test(first);
      if (names.length === 1 && imported.has(first)) return true;
      return (
        imported.has(first) ||
        first === 't' ||
        first === 'cy' ||
        names.some((name) => assertingName.test(name)) ||
        last === 'should' ||
        (node.type === 'call_expression' && /^(?:done|cb)$/.test(first) && names.length === 1)
      );
    },
    comparedValues(node, call) {
      if (!call) return node.type === 'expression_statement' ? chainInputs(node) : [];
      const [first = ''] = call.names;
      // Messages are not compared: the text after the values of assert.equal(1, 1, 'why').
      const values = call.inputs.filter(({ type }) => !functionTypes.includes(type));
      if (/^(?:done|cb|fail)$/.test(call.names.at(-1) ?? '') || /\.fail$|unreachable/i.test(call.names.join('.')))
        return [];
      if (first === 'expect') return values;
      // What a helper compares is in the helper.
      if (first !== 't' && !imported.has(first)) return [];
      const single = /\.(?:ok|notOk|true|false|isTrue|isFalse|exists?)$|^assert$|^ok$/.test(call.names.join('.'));
      return values.slice(0, single ? 1 : 2);
    },
    assertingTypes: ['throw_statement'],
    isAssertingStatement: (node) =>
      node.type === 'expression_statement' && node.children[0]?.type === 'member_expression' && isChaiChain(node.text),
    functionTypes,
    literalTypes: [
      'string',
      'number',
      'true',
      'false',
      'null',
      'undefined',
      'regex',
      'template_string',
      'string_fragment',
      'escape_sequence',
    ],
    constantNames: ['undefined', 'NaN', 'Infinity'],
    presence:
      /\.(?:toBeDefined|toBeTruthy|toBeInstanceOf|toBeNull|toBeUndefined|ok|exists?|toHaveBeenCalled)$|^assert$|^ok$/,
  };
  return rules;
}

/** The inputs of the calls in a chain that ends with a property. */
function chainInputs(statement: SyntaxNode): readonly SyntaxNode[] {
  const call = [...walkTree(statement)].find(({ type }) => type === 'call_expression');
  return (call && readCall(call)?.inputs) ?? [];
}

/** A promise of `resolves` or `rejects` that is neither awaited, returned nor handed on fails no test. */
function isUnawaitedPromise(names: readonly string[], parent: SyntaxNode | undefined): boolean {
  return parent?.type === 'expression_statement' && names.some((name) => name === 'resolves' || name === 'rejects');
}

const testNames = /^(?:it|test|specify|fit|xit|ftest|xtest|xspecify)$/;
const suiteNames = /^(?:describe|suite|context|fdescribe|xdescribe|module)$/;
const skipNames = /^(?:skip|todo|fixme|fails|failing|skipIf|runIf)$/;

/** Finds the tests of Vitest, Jest, Mocha, Jasmine, node:test, AVA, tape, QUnit, Playwright, Cypress and Deno. */
export function inspectJavaScript(file: string, { root }: ParsedSource): InspectedTest[] {
  const imported = importedAssertions(root);
  const rules = createRules(imported);
  const facts = readFacts(root, rules);
  const tests: InspectedTest[] = [];
  const visit = (node: SyntaxNode, suites: readonly string[], isSkipped: boolean, isFocused: boolean): void => {
    const call = readTestCall(node);
    if (!call) {
      // A describe inside of a function that the file calls in a loop is read once.
      for (const child of node.children) visit(child, suites, isSkipped, isFocused);
      return;
    }
    const skipped = isSkipped || call.isSkipped;
    const focused = isFocused || call.isFocused;
    if (call.isSuite) {
      if (call.body) visit(call.body, [...suites, call.title], skipped, focused);
      return;
    }
    const survey = surveyAssertions(call.body, rules, withContext(facts, call.body));
    tests.push({
      file,
      line: node.line,
      suites,
      title: call.title,
      aliases: [],
      isSkipped: skipped || call.body === undefined || skipsItself(call.body),
      isFocused: focused,
      isParameterized: call.isParameterized,
      ...(handsOnContext(call.body) ? { ...survey, verdict: 'asserts' as const } : survey),
    });
  };
  visit(root, [], false, false);
  return tests;
}

interface TestCall {
  title: string;
  isSuite: boolean;
  isSkipped: boolean;
  isFocused: boolean;
  isParameterized: boolean;
  body: SyntaxNode | undefined;
}

/** Reads `test('title', () => …)` with its modifiers; undefined for any other call. */
function readTestCall(node: SyntaxNode): TestCall | undefined {
  const call = readCall(node);
  if (!call) return undefined;
  const names = call.names.filter((name) => name !== 'QUnit' && name !== 'Deno');
  const [first = '', ...modifiers] = names;
  const isSuite = suiteNames.test(first) || (first === 'test' && modifiers[0] === 'describe');
  if (!isSuite && !testNames.test(first)) return undefined;
  if (
    modifiers.some((name) => /^(?:before|after|beforeEach|afterEach|use|step|extend|setTimeout|slow|info)/.test(name))
  )
    return undefined;
  const [title, ...rest] = call.last;
  const body = [...rest].reverse().find((one) => functionTypes.includes(one.type));
  const isTodo = modifiers.includes('todo');
  if (!title || functionTypes.includes(title.type) || (!body && !isTodo && rest.length === 0 && !/^x/.test(first)))
    return undefined;
  const text = literalTitle(title);
  const options = rest.find(({ type }) => type === 'object');
  return {
    title: text,
    isSuite,
    isSkipped:
      /^x/.test(first) ||
      modifiers.some((name) => skipNames.test(name)) ||
      /\b(?:skip|todo)\s*:\s*(?!false)/.test(options?.text ?? ''),
    isFocused: /^f/.test(first) || modifiers.includes('only') || /\bonly\s*:\s*true/.test(options?.text ?? ''),
    isParameterized: modifiers.some((name) => name === 'each' || name === 'for'),
    body,
  };
}

/** The title as a pattern: `*` for each computed part and each placeholder of a table. */
function literalTitle(node: SyntaxNode): string {
  if (node.type === 'string')
    return node.text
      .slice(1, -1)
      .replace(/\\(.)/g, (_, sign: string) => ({ n: '\n', t: '\t' })[sign] ?? sign)
      .replace(/%[sdifjoOp#$c]|\$[\w.]+/g, '*');
  if (node.type === 'template_string') {
    const parts = node.children.filter(({ type }) => type === 'template_substitution');
    return parts
      .reduce((text, part) => text.replace(part.text, '*'), node.text.slice(1, -1))
      .replace(/%[sdifjoOp#]/g, '*');
  }
  return '*';
}

/** `t.skip()` or `this.skip()` as a statement of the body itself. */
function skipsItself(body: SyntaxNode): boolean {
  return childrenOfType(childOf(body, 'body'), 'expression_statement').some(({ children: [inner] }) =>
    /^(?:this|t|ctx|context)\.(?:skip|todo)$/.test((inner && readCall(inner)?.names.join('.')) ?? ''),
  );
}

/** The names of the first parameter: the context of node:test, AVA and tape asserts, the callback of Mocha reports errors. */
function parameterNames(body: SyntaxNode | undefined): string[] {
  const parameters = childOf(body, 'parameters') ?? childOf(body, 'parameter');
  const list = parameters?.type === 'identifier' ? [parameters] : (parameters?.children ?? []);
  return list.flatMap((one) =>
    [...walkTree(one)]
      .filter(({ type }) => type === 'identifier' || type === 'shorthand_property_identifier_pattern')
      .map(({ text }) => text),
  );
}

function withContext(facts: FileFacts, body: SyntaxNode | undefined): FileFacts {
  const shadowed = new Set(parameterNames(body));
  return { ...facts, constants: new Set([...facts.constants].filter((name) => !shadowed.has(name))) };
}

/** Whether the context or callback of a test is an argument of a call, which can then fail the test. */
function handsOnContext(body: SyntaxNode | undefined): boolean {
  const names = parameterNames(body).filter((name) => /^(?:t|done|ctx|assert|tc|cb)$/.test(name));
  if (!body || names.length === 0) return false;
  for (const node of walkTree(body)) {
    if (readCall(node)?.inputs.some(({ type, text }) => type === 'identifier' && names.includes(text))) return true;
  }
  return false;
}

/** Local names that come from modules for assertions. */
function importedAssertions(root: SyntaxNode): Set<string> {
  const names = new Set(['assert', 'chai', 'sinon', 'should']);
  for (const statement of root.children) {
    const source = statement.type === 'import_statement' ? childOf(statement, 'source') : findRequire(statement);
    if (!source || !assertionModules.test(source.text.slice(1, -1))) continue;
    for (const { type, text, field } of walkTree(statement))
      if (/identifier/.test(type) && field !== 'function') names.add(text);
  }
  names.delete('expect');
  names.delete('require');
  return names;
}

function findRequire(statement: SyntaxNode): SyntaxNode | undefined {
  if (!/declaration$/.test(statement.type)) return undefined;
  for (const node of walkTree(statement)) {
    const call = readCall(node);
    if (call?.names[0] === 'require') return call.inputs.find(({ type }) => type === 'string');
  }
  return undefined;
}

function readFacts(root: SyntaxNode, rules: AssertionRules): FileFacts {
  const bindings: { name: SyntaxNode | undefined; value: SyntaxNode | undefined }[] = [];
  const functions: { name: string; body: SyntaxNode | undefined }[] = [];
  for (const node of walkTree(root)) {
    const name = childOf(node, 'name');
    if (node.type === 'variable_declarator') {
      const value = childOf(node, 'value');
      bindings.push({ name, value });
      if (name && value && functionTypes.includes(value.type)) functions.push({ name: name.text, body: value });
    } else if (node.type === 'assignment_expression' || node.type === 'augmented_assignment_expression')
      bindings.push(
        { name: childOf(node, 'left'), value: undefined },
        { name: childOf(node, 'left'), value: undefined },
      );
    else if (node.type === 'update_expression') {
      const target = childOf(node, 'argument');
      bindings.push({ name: target, value: undefined }, { name: target, value: undefined });
    } else if (functionTypes.includes(node.type) && name) functions.push({ name: name.text, body: node });
  }
  const constants = findConstants(bindings, rules);
  return { constants, helpers: findAssertingHelpers(functions, rules, constants) };
}

export const javaScriptDeclarations = [
  'function_declaration',
  'generator_function_declaration',
  'class_declaration',
  'method_definition',
  'variable_declarator',
];
