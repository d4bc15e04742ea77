/**
 * Reads the part of declarative Jenkins pipelines that the files here use. Rejects what Jenkins rejects: unbalanced blocks,
 * missing quotes, unknown or misplaced sections, and arguments of the wrong type. Stricter than Jenkins, which knows more.
 */
export function readJenkinsfile(text: string): Statement {
  const tokens = tokensOf(text);
  const [pipeline, ...others] = statements(tokens, undefined);
  if (pipeline?.name !== 'pipeline' || others.length > 0)
    throw new Error('a Jenkinsfile has one pipeline and nothing else');
  checkBlock(pipeline);
  return pipeline;
}

export interface Statement {
  name: string;
  args: Argument[];
  /** `NAME = value`. */
  value?: Value;
  body?: Statement[];
}
interface Argument {
  key?: string;
  value: Value;
}
type Value = string | number | boolean | { call: string; args: Argument[] };
interface Token {
  kind: 'word' | 'string' | 'number' | 'mark' | 'line' | 'end';
  text: string;
}

function tokensOf(text: string): Token[] {
  const pattern =
    /(?<skip>[ \t]+|\/\/[^\n]*)|(?<line>\n)|(?<word>[A-Za-z_]\w*)|(?<number>\d+)|'(?<string>(?:[^'\\\n]|\\[nrt\\'])*)'|(?<mark>[{}()[\],:=])/y;
  const tokens: Token[] = [];
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const found = pattern.exec(text)?.groups;
    if (!found) throw new Error(`cannot be read: ${JSON.stringify(text.slice(at, at + 30))}`);
    for (const kind of ['line', 'word', 'number', 'string', 'mark'] as const) {
      const part = found[kind];
      if (part !== undefined) tokens.push({ kind, text: kind === 'string' ? unescaped(part) : part });
    }
  }
  return [...tokens, { kind: 'end', text: 'the end' }];
}

function unescaped(text: string): string {
  const meant: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
  return text.replace(/\\(.)/g, (_, character: string) => meant[character] ?? character);
}

const isMark = (token: Token | undefined, text: string) => token?.kind === 'mark' && token.text === text;

/** Removes the statements of a block from the tokens and returns them. */
function statements(tokens: Token[], within: string | undefined): Statement[] {
  const found: Statement[] = [];
  for (;;) {
    while (tokens[0]?.kind === 'line') tokens.shift();
    const [next] = tokens;
    const isOver = within === undefined ? next?.kind === 'end' : isMark(next, '}');
    if (isOver) {
      tokens.shift();
      return found;
    }
    found.push(statement(tokens));
  }
}

function statement(tokens: Token[]): Statement {
  const name = take(tokens, 'word');
  const made: Statement = { name, args: [] };
  if (isMark(tokens[0], '=')) {
    tokens.shift();
    made.value = value(tokens);
  } else if (isMark(tokens[0], '(')) made.args = inBrackets(tokens);
  else if (!isMark(tokens[0], '{')) made.args = list(tokens);
  if (isMark(tokens[0], '{')) {
    tokens.shift();
    made.body = statements(tokens, name);
  }
  const [after] = tokens;
  if (after?.kind !== 'line' && after?.kind !== 'end' && !isMark(after, '}'))
    throw new Error(`after ${name} stands ${after?.text}`);
  return made;
}

function inBrackets(tokens: Token[]): Argument[] {
  tokens.shift();
  const args = isMark(tokens[0], ')') ? [] : list(tokens);
  if (!isMark(tokens.shift(), ')')) throw new Error('a bracket is not closed');
  return args;
}

function list(tokens: Token[]): Argument[] {
  const args: Argument[] = [];
  do {
    if (args.length > 0) tokens.shift();
    const isNamed = tokens[0]?.kind === 'word' && isMark(tokens[1], ':');
    const key = isNamed ? take(tokens, 'word') : undefined;
    if (isNamed) tokens.shift();
    args.push({ ...(key !== undefined && { key }), value: value(tokens) });
  } while (isMark(tokens[0], ','));
  return args;
}

function value(tokens: Token[]): Value {
  const token = tokens.shift();
  if (token?.kind === 'string') return token.text;
  if (token?.kind === 'number') return Number(token.text);
  if (token?.text === 'true' || token?.text === 'false') return token.text === 'true';
  if (token?.kind === 'word' && isMark(tokens[0], '(')) return { call: token.text, args: inBrackets(tokens) };
  throw new Error(`a value is needed, and there is ${token?.text}`);
}

function take(tokens: Token[], kind: Token['kind']): string {
  const token = tokens.shift();
  if (token?.kind !== kind) throw new Error(`a ${kind} is needed, and there is ${token?.text}`);
  return token.text;
}

/** Which statements a block allows and requires, and whether they may be repeated. */
const blocks: Record<string, { may: string[]; must?: string[]; several?: true }> = {
  pipeline: {
    may: ['agent', 'options', 'triggers', 'parameters', 'environment', 'tools', 'stages', 'post'],
    must: ['agent', 'stages'],
  },
  agent: { may: ['docker', 'label', 'node'], must: ['docker'] },
  docker: { may: ['image', 'args', 'label'], must: ['image'] },
  options: { may: ['timeout', 'timestamps', 'disableConcurrentBuilds', 'buildDiscarder'] },
  triggers: { may: ['cron', 'pollSCM', 'upstream'] },
  parameters: { may: ['string', 'booleanParam', 'choice', 'text', 'password'], several: true },
  stages: { may: ['stage'], must: ['stage'], several: true },
  stage: { may: ['agent', 'options', 'environment', 'when', 'tools', 'input', 'steps', 'post'], must: ['steps'] },
  when: { may: ['branch', 'changeRequest', 'environment', 'not', 'allOf', 'anyOf', 'triggeredBy'] },
  steps: { may: ['sh', 'echo', 'junit', 'archiveArtifacts'], several: true },
  post: { may: ['always', 'success', 'failure', 'unstable', 'aborted', 'unsuccessful', 'changed', 'fixed', 'cleanup'] },
};
const conditions = blocks['post']?.may ?? [];

const given: Record<string, Record<string, 'string' | 'number' | 'boolean'>> = {
  image: { '': 'string' },
  sh: { '': 'string' },
  stage: { '': 'string' },
  cron: { '': 'string' },
  changeRequest: {},
  timeout: { time: 'number', unit: 'string' },
  string: { name: 'string', defaultValue: 'string', description: 'string' },
  junit: { testResults: 'string', allowEmptyResults: 'boolean' },
  archiveArtifacts: { artifacts: 'string', allowEmptyArchive: 'boolean' },
};

function checkBlock({ name, body, args }: Statement): void {
  checkArguments(name, args);
  const rules = conditions.includes(name) ? blocks['steps'] : blocks[name];
  if (!rules) {
    if (name === 'environment') checkEnvironment(body ?? []);
    else if (body) throw new Error(`${name} has no block`);
    return;
  }
  if (!body || body.length === 0) throw new Error(`${name} is empty`);
  const names = body.map((one) => one.name);
  const strange = body.find((one) => !rules.may.includes(one.name) || one.value !== undefined);
  if (strange) throw new Error(`${strange.name} may not stand in ${name}`);
  for (const needed of rules.must ?? []) if (!names.includes(needed)) throw new Error(`${name} needs ${needed}`);
  if (!rules.several && new Set(names).size < names.length) throw new Error(`something stands twice in ${name}`);
  for (const one of body) checkBlock(one);
}

function checkArguments(name: string, args: readonly Argument[]): void {
  const wanted = given[name] ?? {};
  for (const { key = '', value: is } of args)
    if (typeof is !== wanted[key]) throw new Error(`${name} takes no ${key || 'such value'}`);
  for (const key of Object.keys(wanted))
    if (!args.some((argument) => (argument.key ?? '') === key)) throw new Error(`${name} needs ${key || 'a value'}`);
}

function checkEnvironment(body: readonly Statement[]): void {
  for (const { name, value: is } of body) {
    const isCredential = typeof is === 'object' && is.call === 'credentials' && typeof is.args[0]?.value === 'string';
    if (typeof is !== 'string' && !isCredential) throw new Error(`${name} must be a text or credentials('…')`);
  }
}
