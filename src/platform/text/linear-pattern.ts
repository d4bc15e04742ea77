/**
 * Matches a regular expression in time that is linear in the text for each state of the pattern, where V8 may need exponential
 * time. A lookahead costs one more pass for each position at which it is tried. For patterns without the `u`, `v`, `m` and `i`
 * flags, and only whether they match, because nothing is captured.
 */

type Node =
  | { kind: 'unit'; accepts: (unit: string) => boolean }
  | { kind: 'sequence'; parts: Node[] }
  | { kind: 'choice'; options: Node[] }
  | { kind: 'repeat'; body: Node; least: number; most: number }
  | { kind: 'look'; body: Node; isNegative: boolean }
  | { kind: 'edge'; isStart: boolean };

type State =
  | { kind: 'unit'; accepts: (unit: string) => boolean; next: number }
  | { kind: 'split'; targets: number[] }
  | { kind: 'look'; start: number; isNegative: boolean; next: number }
  | { kind: 'edge'; isStart: boolean; next: number }
  | { kind: 'match' };

/** More states, such as those of `a{1000}`, would take too much time and memory for each text. */
const MOST_STATES = 2_000;

/** Thrown for syntax that has no linear equivalent, such as a back reference, and for patterns that are too large. */
class UnsupportedPattern extends Error {}

/**
 * Creates a test for texts that contain a match of the pattern. Undefined for back references, lookbehinds, word
 * boundaries, modifiers, and patterns that are too large.
 */
export function createLinearMatcher(source: string): ((text: string) => boolean) | undefined {
  try {
    const states: State[] = [{ kind: 'match' }];
    const start = addStates(states, parsePattern(source), 0);
    return (text) => matchesPattern(states, start, text);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    throw error;
  }
}

/** Pairs of state and position, as one number. */
interface PairSet {
  has(pair: number): boolean;
  add(pair: number): unknown;
}

/** Visits each pair of state and position at most once, and again for lookaheads that match. */
function matchesPattern(states: readonly State[], start: number, text: string): boolean {
  const width = text.length + 1;
  /** Pairs from which no lookahead matches. */
  const failed = new Set<number>();

  function runsFrom(first: number, from: number, visited: PairSet): boolean {
    const open = [first * width + from];
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      const state = states[Math.floor(pair / width)];
      if (!state || visited.has(pair)) continue;
      visited.add(pair);
      if (state.kind === 'match') return true;
      const position = pair % width;
      for (const [target, moved] of steps(state, position)) open.push(target * width + position + moved);
    }
    return false;
  }

  function* steps(state: State, position: number): Generator<[target: number, moved: number]> {
    if (state.kind === 'split') for (const target of state.targets) yield [target, 0];
    else if (state.kind === 'unit') {
      if (position < text.length && state.accepts(text.charAt(position))) yield [state.next, 1];
    } else if (state.kind === 'edge') {
      if (position === (state.isStart ? 0 : text.length)) yield [state.next, 0];
    } else if (state.kind === 'look' && looksAhead(state.start, position) !== state.isNegative) yield [state.next, 0];
  }

  function looksAhead(first: number, position: number): boolean {
    const visited = new Set<number>();
    const has = (pair: number) => failed.has(pair) || visited.has(pair);
    if (runsFrom(first, position, { has, add: (pair) => visited.add(pair) })) return true;
    for (const pair of visited) failed.add(pair);
    return false;
  }

  const isVisited = new Uint8Array(states.length * width);
  const visited: PairSet = {
    has: (pair) => isVisited[pair] === 1,
    add: (pair) => {
      isVisited[pair] = 1;
    },
  };
  for (let from = 0; from < width; from++) if (runsFrom(start, from, visited)) return true;
  return false;
}

/** Adds the states of a node that continue at `next`, and returns the first of them. */
function addStates(states: State[], node: Node, next: number): number {
  const add = (state: State): number => {
    if (states.length >= MOST_STATES) throw new UnsupportedPattern();
    return states.push(state) - 1;
  };
  switch (node.kind) {
    case 'unit':
      return add({ ...node, next });
    case 'edge':
      return add({ ...node, next });
    case 'look':
      return add({ kind: 'look', start: addStates(states, node.body, 0), isNegative: node.isNegative, next });
    case 'sequence':
      return node.parts.reduceRight((after, part) => addStates(states, part, after), next);
    case 'choice':
      return add({ kind: 'split', targets: node.options.map((option) => addStates(states, option, next)) });
    case 'repeat':
      return addRepetition(states, node, next);
  }
}

function addRepetition(states: State[], { body, least, most }: Node & { kind: 'repeat' }, next: number): number {
  if (least > MOST_STATES || (most !== Number.POSITIVE_INFINITY && most > MOST_STATES)) throw new UnsupportedPattern();
  const split: State = { kind: 'split', targets: [next] };
  let start = states.push(split) - 1;
  if (most === Number.POSITIVE_INFINITY) split.targets.push(addStates(states, body, start));
  else
    for (let spare = most - least; spare > 0; spare--)
      start = states.push({ kind: 'split', targets: [next, addStates(states, body, start)] }) - 1;
  for (let count = 0; count < least; count++) start = addStates(states, body, start);
  return start;
}

const QUANTIFIER = /(?:([*+?])|\{(\d+)(,(\d*))?\})\??/y;
const ESCAPE = /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|c[a-z]|[\s\S])/iy;
const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/y;
const UNSUPPORTED_ESCAPE = /\\(?:[1-9bBk]|0\d)/y;
const GROUP = /\((?:\?(?::|(=)|(!)|<[^=!>][^>]*>))?/y;

/** Parses a valid pattern in the syntax of JavaScript without the `u` flag. */
function parsePattern(source: string): Node {
  let at = 0;

  function take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(source) ?? undefined;
    if (found) at += found[0].length;
    return found;
  }

  function parseChoice(): Node {
    const options = [parseSequence()];
    while (source[at] === '|') {
      at++;
      options.push(parseSequence());
    }
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options };
  }

  function parseSequence(): Node {
    const parts: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(parseQuantified());
    return { kind: 'sequence', parts };
  }

  function parseQuantified(): Node {
    const body = parseAtom();
    const found = take(QUANTIFIER);
    if (!found) return body;
    const [, sign, least, comma, most] = found;
    if (sign)
      return { kind: 'repeat', body, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
    const top = comma === undefined ? least : most || Number.POSITIVE_INFINITY;
    return { kind: 'repeat', body, least: Number(least), most: Number(top) };
  }

  function parseAtom(): Node {
    const sign = source.charAt(at);
    if (sign === '(') return parseGroup();
    if (sign === '^' || sign === '$') {
      at++;
      return { kind: 'edge', isStart: sign === '^' };
    }
    if (take(UNSUPPORTED_ESCAPE)) throw new UnsupportedPattern();
    const several = sign === '.' ? take(/\./y) : (take(ESCAPE) ?? take(CLASS));
    if (several) {
      const one = new RegExp(`^${several[0]}$`);
      return { kind: 'unit', accepts: (unit) => one.test(unit) };
    }
    at++;
    return { kind: 'unit', accepts: (unit) => unit === sign };
  }

  function parseGroup(): Node {
    const opened = take(GROUP);
    if (!opened || source[at] === '?') throw new UnsupportedPattern();
    const body = parseChoice();
    at++;
    const [, isAhead, isNotAhead] = opened;
    return isAhead || isNotAhead ? { kind: 'look', body, isNegative: isNotAhead !== undefined } : body;
  }

  return parseChoice();
}
