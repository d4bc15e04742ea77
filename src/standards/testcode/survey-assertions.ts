import type { InspectedTest } from './inspected-test.ts';
import { childOf, type SyntaxNode, walkTree } from './syntax-tree.ts';

/** A call with the names before its parentheses and the arguments of all calls of its chain. */
export interface CallChain {
  /** `expect(x).not.toBe(1)` is `expect`, `not`, `toBe`. */
  names: readonly string[];
  /** Arguments of every call of the chain, in order: `x`, `1`. */
  inputs: readonly SyntaxNode[];
  /** Arguments of the last call only. */
  last: readonly SyntaxNode[];
}

/** What the assertions of a language look like. */
export interface AssertionRules {
  readCall(node: SyntaxNode): CallChain | undefined;
  /** Whether a call can fail a test; helpers of the file are known already. */
  isAssertion(call: CallChain, node: SyntaxNode, parent: SyntaxNode | undefined): boolean;
  /** The values that an assertion compares. */
  comparedValues(node: SyntaxNode, call: CallChain | undefined): readonly SyntaxNode[];
  /** Statements that assert without a call, such as `assert` and `throw`. */
  assertingTypes: readonly string[];
  /** The same where the type does not decide, such as `expect(x).to.be.true;`. */
  isAssertingStatement?(node: SyntaxNode): boolean;
  functionTypes: readonly string[];
  literalTypes: readonly string[];
  /** Names that stand for a constant of the language. */
  constantNames: readonly string[];
  /** Matchers that only look whether there is a value. */
  presence: RegExp;
}

/** Names of functions that assert, in every language: `assertEquals`, `expect_that`, `verifyAll`, `checkInvariant`. */
export const assertingName =
  /^_*(?:assert|expect|verify|check|should|must|ensure|require|validate|fail|compare)(?=$|[A-Z_\d]|s$|ed$|s[A-Z_])/i;

export interface FileFacts {
  /** Names that are bound once, to a literal. */
  constants: ReadonlySet<string>;
  /** Functions of the file that assert themselves. */
  helpers: ReadonlySet<string>;
}

type Survey = Pick<InspectedTest, 'verdict' | 'assertions' | 'presenceChecks' | 'names'>;

/** Counts the assertions in the body of a test. Code that never runs, and assertions whose failure is swallowed, do not count. */
export function surveyAssertions(body: SyntaxNode | undefined, rules: AssertionRules, facts: FileFacts): Survey {
  const found = { assertions: 0, presenceChecks: 0, tautologies: 0 };
  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined): void => {
    const call = rules.readCall(node);
    const asserts =
      rules.assertingTypes.includes(node.type) ||
      rules.isAssertingStatement?.(node) ||
      (call !== undefined && (rules.isAssertion(call, node, parent) || isHelperCall(call, facts)));
    if (!asserts) {
      for (const child of liveChildren(node, rules, facts)) visit(child, node);
      return;
    }
    if (isTautology(node, call, rules, facts)) found.tautologies++;
    else {
      found.assertions++;
      if (call && rules.presence.test(call.names.join('.'))) found.presenceChecks++;
    }
    // Callbacks in the arguments of an assertion, such as `assert.throws(() => …)`, may assert themselves.
    for (const input of call?.inputs ?? []) if (rules.functionTypes.includes(input.type)) visit(input, node);
  };
  if (body) visit(body, undefined);
  const { assertions, presenceChecks, tautologies } = found;
  const verdict =
    assertions > 0 ? 'asserts' : tautologies > 0 ? 'tautological' : isEmptyBody(body) ? 'empty' : 'no_assertion';
  return { verdict, assertions, presenceChecks, names: collectNames(body) };
}

const isHelperCall = ({ names }: CallChain, { helpers }: FileFacts) => helpers.has(names.at(-1) ?? '');

const blockTypes = ['statement_block', 'block', 'statement_list', 'program', 'module'];
const conditionals = ['if_statement'];
const exits = ['return_statement', 'throw_statement', 'raise_statement'];

/** The children that can run and whose failure reaches the test. */
function liveChildren(node: SyntaxNode, rules: AssertionRules, facts: FileFacts): readonly SyntaxNode[] {
  if (blockTypes.includes(node.type)) {
    const exit = node.children.findIndex(({ type }) => exits.includes(type));
    return (exit < 0 ? node.children : node.children.slice(0, exit + 1)).filter(
      (child) => !isUnusedFunction(child, node, rules),
    );
  }
  if (conditionals.includes(node.type)) {
    const condition = childOf(node, 'condition');
    if (condition && isConstant(condition, rules, facts)) {
      const branch = isTrueLiteral(condition.text) ? 'consequence' : 'alternative';
      return node.children.filter(({ field }) => field === branch);
    }
  }
  if (node.type === 'try_statement' && swallowsFailures(node, rules))
    return node.children.filter(({ type }) => /^(?:catch|except|finally)/.test(type));
  return node.children;
}

const isTrueLiteral = (text: string) => /^\(*\s*(?:true|True|1)\s*\)*$/.test(text);

/** `catch {}` and `except: pass`: the handler neither fails nor looks at the error. */
function swallowsFailures(node: SyntaxNode, rules: AssertionRules): boolean {
  const handlers = node.children.filter(({ type }) => /^(?:catch|except)/.test(type));
  return (
    handlers.length > 0 &&
    handlers.every((handler) => {
      for (const inner of walkTree(handler)) {
        if (rules.assertingTypes.includes(inner.type) || exits.includes(inner.type)) return false;
        const call = rules.readCall(inner);
        if (call && (rules.isAssertion(call, inner, undefined) || /^(?:done|next|reject)$/.test(call.names.join('.'))))
          return false;
      }
      return handlesEverything(handler);
    })
  );
}

/** Python and Java name what they catch; an assertion error passes a narrower handler. */
function handlesEverything(handler: SyntaxNode): boolean {
  const caught = handler.text.slice(0, handler.text.search(/[:{]/));
  const names = caught.match(/[A-Z]\w+/g);
  return !names || names.some((name) => /^(?:Base|Assertion)?(?:Exception|Error|Throwable|AssertionError)$/.test(name));
}

/** A function that the block binds to a name and never uses. */
function isUnusedFunction(statement: SyntaxNode, block: SyntaxNode, rules: AssertionRules): boolean {
  const bound = boundFunction(statement, rules);
  if (bound === undefined) return false;
  return !block.children.some(
    (other) => other !== statement && new RegExp(`\\b${escapeName(bound)}\\b`).test(other.text),
  );
}

const escapeName = (name: string) => name.replace(/[$]/g, '\\$');

function boundFunction(statement: SyntaxNode, { functionTypes }: AssertionRules): string | undefined {
  if (functionTypes.includes(statement.type)) return childOf(statement, 'name')?.text;
  if (!/declaration$/.test(statement.type)) return undefined;
  const [declarator] = statement.children.filter(({ type }) => type === 'variable_declarator');
  const value = childOf(declarator, 'value');
  return value && functionTypes.includes(value.type) ? childOf(declarator, 'name')?.text : undefined;
}

function isTautology(node: SyntaxNode, call: CallChain | undefined, rules: AssertionRules, facts: FileFacts): boolean {
  const values = rules.comparedValues(node, call);
  if (values.length === 0) return false;
  if (values.every((value) => isConstant(value, rules, facts))) return true;
  const [first, second] = values;
  // The same expression without a call is always equal to itself.
  return (
    values.length === 2 && first?.text === second?.text && ![...walkTree(first as SyntaxNode)].some(rules.readCall)
  );
}

/** Whether an expression depends on nothing but literals. */
function isConstant(
  node: SyntaxNode,
  rules: Pick<AssertionRules, 'literalTypes' | 'constantNames' | 'functionTypes'>,
  { constants }: Pick<FileFacts, 'constants'>,
): boolean {
  if (rules.functionTypes.includes(node.type)) return false;
  if (node.type === 'identifier' || node.type === 'undefined')
    return rules.constantNames.includes(node.text) || constants.has(node.text);
  const isLeaf = node.children.length === 0;
  if (isLeaf) return rules.literalTypes.includes(node.type) || !/[A-Za-z]/.test(node.type);
  if (isAlwaysTrue(node)) return true;
  if (/call|invocation|member|attribute|selector|subscript|index|creation|await|new_|field_access/.test(node.type))
    return false;
  return node.children.every((child) => isConstant(child, rules, { constants }));
}

/** `x || true` */
function isAlwaysTrue({ children }: SyntaxNode): boolean {
  const isOr = children.some(({ field, type }) => field === 'operator' && (type === '||' || type === 'or'));
  return isOr && children.some(({ text }) => isTrueLiteral(text));
}

const noStatement = /comment|^pass_statement$|^empty_statement$|^expression_statement$/;

function isEmptyBody(body: SyntaxNode | undefined): boolean {
  if (!body) return true;
  const block = blockTypes.includes(body.type) ? body : childOf(body, 'body');
  if (!block || !blockTypes.includes(block.type)) return false;
  const statements = block.children.flatMap((child) => (child.type === 'statement_list' ? child.children : [child]));
  return statements.every(
    (statement) =>
      noStatement.test(statement.type) &&
      (statement.type !== 'expression_statement' ||
        statement.children.every(({ type }) => type === 'string' || type === 'ellipsis')),
  );
}

const MAX_NAMES = 400;

function collectNames(body: SyntaxNode | undefined): Set<string> {
  const names = new Set<string>();
  if (!body) return names;
  for (const { type, text, children } of walkTree(body)) {
    if (children.length === 0 && (/identifier$/.test(type) || /string|number|integer|float/.test(type)))
      names.add(text);
    if (names.size >= MAX_NAMES) break;
  }
  return names;
}

/** Finds names that are bound exactly once, to a literal; the bindings of a language have a name and a value. */
export function findConstants(
  bindings: Iterable<{ name: SyntaxNode | undefined; value: SyntaxNode | undefined }>,
  rules: Pick<AssertionRules, 'literalTypes' | 'constantNames' | 'functionTypes'>,
): Set<string> {
  const values = new Map<string, SyntaxNode | undefined>();
  for (const { name, value } of bindings) if (name) values.set(name.text, values.has(name.text) ? undefined : value);
  const constants = new Set<string>();
  for (const [name, value] of values) if (value && isConstant(value, rules, { constants })) constants.add(name);
  return constants;
}

/** Finds functions of a file that assert, also through one another. */
export function findAssertingHelpers(
  functions: readonly { name: string; body: SyntaxNode | undefined }[],
  rules: AssertionRules,
  constants: ReadonlySet<string>,
): Set<string> {
  const helpers = new Set<string>();
  for (let pass = 0; pass < 2; pass++) {
    for (const { name, body } of functions) {
      if (!helpers.has(name) && surveyAssertions(body, rules, { constants, helpers }).assertions > 0) helpers.add(name);
    }
  }
  return helpers;
}
