import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { type ChainEntry, digestHead, type UnsealedEntry } from './chain-entry.ts';
import { sealEntry } from './chain-file.ts';
import { checkChain, formatHead } from './check-chain.ts';
import type { Signer } from './signing.ts';

const id = (letter: string) => letter.repeat(40);
const person = { name: 'Zoë "Z" <x>', email: 'z@example.test', date: '2026-01-01T00:00:00+00:00' };
const common = { version: 1 as const, recorded_at: '2026-01-01T00:00:00.000Z' };

function newSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    sign: (data) => sign(null, Buffer.from(data), privateKey).toString('base64'),
  };
}

/** A chain of a beginning and two commits, as it lies in its two files. */
function chainOf(signer?: Signer) {
  const entries: ChainEntry[] = [];
  const add = (entry: UnsealedEntry) => void entries.push(sealEntry(entry, signer));
  add({ ...common, seq: 1, previous_hash: null, event: 'init', since: null, spec: null });
  for (const [index, subject] of ['one', 'two � \\ "quoted"'].entries())
    add({
      ...common,
      seq: index + 2,
      previous_hash: entries.at(-1)?.hash ?? null,
      event: 'commit',
      commit: {
        id: id('a'),
        tree: id('b'),
        parents: [id('c')],
        author: person,
        committer: person,
        subject,
        message: `sha256:${'0'.repeat(64)}`,
      },
      size: { files: 1, added: 2, removed: 3 },
      spec: { id: 'FEAT-1', title: 'Something', risk_tier: 2, mode: 'fix', file: `sha256:${'1'.repeat(64)}` },
      gates: { overall_status: 'quality_passed', quality_score: 0.92, evidence: [] },
      assisted_by: [{ tool: 'Claude', signal: 'author account', confidence: 'high' }],
    });
  const lines = entries.map((entry) => `${canonicalJson(entry)}\n`);
  return { lines, head: headFor(entries, lines, signer) };
}

function headFor(entries: readonly ChainEntry[], lines: readonly string[], signer?: Signer): Buffer {
  const last = entries.at(-1);
  const bytes = Buffer.byteLength(lines.join(''));
  const head = { version: 1 as const, seq: last?.seq ?? 0, hash: last?.hash ?? '', bytes };
  const signature = signer ? { public_key: signer.publicKey, value: signer.sign(digestHead(head)) } : null;
  return Buffer.from(formatHead({ ...head, signature }));
}

const bytesOf = (lines: readonly string[]) => Buffer.from(lines.join(''));
const problemCodes = (lines: readonly string[], head: Buffer, trusted?: string) =>
  checkChain(bytesOf(lines), head, trusted).problems.map(({ code, line }) =>
    line === undefined ? code : `${code}@${line}`,
  );

describe.each([
  ['unsigned', undefined],
  ['signed', newSigner()],
])('a chain that is %s', (_, signer) => {
  const { lines, head } = chainOf(signer);

  test('is intact when unchanged', () => {
    const checked = checkChain(bytesOf(lines), head);
    expect(checked.problems).toEqual([]);
    expect(checked.entries).toHaveLength(3);
    expect(checked.key).toBe(signer?.publicKey);
  });

  test('reports a change of any byte with its line', () => {
    const whole = bytesOf(lines);
    let line = 1;
    // Checking signatures takes time, and they are all that a signed chain has more.
    const [from, to] = signer ? [whole.indexOf('"signature"'), whole.indexOf(0x0a)] : [0, whole.length];
    for (let at = from; at < to; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      const { problems } = checkChain(changed, head);
      expect(problems.length, `byte ${at}`).toBeGreaterThan(0);
      expect(
        problems.some((problem) => problem.line === line),
        `byte ${at} of line ${line}`,
      ).toBe(true);
      if (whole[at] === 0x0a) line++;
    }
  });

  test('reports a change of any byte of its head', () => {
    for (let at = 0; at < head.length; at++) {
      const changed = Buffer.from(head);
      changed[at] = (changed[at] ?? 0) ^ 0x02;
      expect(checkChain(bytesOf(lines), changed).problems.length, `byte ${at}`).toBeGreaterThan(0);
    }
  });

  test('reports removed, moved, repeated and truncated lines', () => {
    const [one = '', two = '', three = ''] = lines;
    expect(problemCodes([one, three], head)).toEqual(expect.arrayContaining(['out_of_sequence@2', 'broken_link@2']));
    expect(problemCodes([one, three, two], head)).toEqual(expect.arrayContaining(['broken_link@2', 'broken_link@3']));
    expect(problemCodes([one, two, two, three], head)).toEqual(expect.arrayContaining(['out_of_sequence@3']));
    expect(problemCodes([one, two], head)).toEqual(['head_mismatch']);
    expect(problemCodes([one, two, three.slice(0, -9)], head)).toEqual(
      expect.arrayContaining(['unfinished@3', 'malformed@3', 'head_mismatch']),
    );
    expect(problemCodes([two, three], head)).toEqual(expect.arrayContaining(['broken_link@1']));
    expect(problemCodes([], head)).toEqual(['empty', 'head_mismatch']);
    expect(checkChain(bytesOf(lines), undefined).problems.map(({ code }) => code)).toContain('no_head');
  });

  test('reports all problems, not only the first', () => {
    const edited = lines.map((line) => line.replace('"recorded_at":"2026', '"recorded_at":"2027'));
    expect(problemCodes(edited, head).filter((problem) => problem.startsWith('hash_mismatch'))).toEqual([
      'hash_mismatch@1',
      'hash_mismatch@2',
      'hash_mismatch@3',
    ]);
  });
});

test('reports the missing signature of a rewritten chain with valid digests', () => {
  const signer = newSigner();
  const forged = chainOf();
  expect(problemCodes(forged.lines, forged.head)).toEqual([]);
  expect(problemCodes(forged.lines, forged.head, signer.publicKey)).toContain('not_signed@1');
  const other = chainOf(newSigner());
  expect(problemCodes(other.lines, other.head)).toEqual([]);
  expect(problemCodes(other.lines, other.head, signer.publicKey)).toContain('other_key@1');
  const own = chainOf(signer);
  expect(problemCodes(own.lines, own.head, signer.publicKey)).toEqual([]);
  const [one = ''] = own.lines;
  expect(problemCodes([one, ...forged.lines.slice(1)], forged.head)).toEqual(
    expect.arrayContaining(['not_signed@2', 'not_signed@3']),
  );
});
