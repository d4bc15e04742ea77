import { isUtf8 } from 'node:buffer';
import { quote } from '../../platform/errors.ts';
import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import { canonicalJson } from './canonical-json.ts';
import {
  type ChainEntry,
  type ChainHead,
  chainEntrySchema,
  chainHeadSchema,
  digestEntry,
  digestHead,
} from './chain-entry.ts';
import { isSignedBy, keyId, type PublicKey } from './signing.ts';

/** A problem of a chain with its position. */
export interface ChainProblem {
  code: string;
  /** Line of the chain, from 1; absent for the head and for the whole chain. */
  line?: number;
  /** Offset of the line in the file. */
  byte?: number;
  seq?: number;
  message: string;
}

export interface CheckedChain {
  entries: ChainEntry[];
  /** Line number of each entry. */
  lines: number[];
  problems: ChainProblem[];
  /** The key that signs the chain, if any. */
  key: PublicKey | undefined;
}

interface ChainLine {
  number: number;
  byte: number;
  text: string;
}

/**
 * Checks the chain by itself: every byte of a line is covered by its digest or by the rule that a line has one canonical
 * form. Reports all problems, not only the first.
 */
export function checkChain(chain: Uint8Array, head: Uint8Array | undefined, trusted?: PublicKey): CheckedChain {
  const problems: ChainProblem[] = [];
  const entries: ChainEntry[] = [];
  const lines: number[] = [];
  let previous: { hash: string | null; seq: number } = { hash: null, seq: 0 };
  let key = trusted;
  for (const line of splitChainLines(chain, problems)) {
    const report = (code: string, message: string, seq?: number) =>
      void problems.push({ code, line: line.number, byte: line.byte, ...(seq !== undefined && { seq }), message });
    const raw = parseJsonObject(line.text);
    const seq = typeof raw?.['seq'] === 'number' ? raw['seq'] : undefined;
    const entry = chainEntrySchema.safeParse(raw);
    if (!raw || !entry.success) {
      report(
        'malformed',
        `is not an entry: ${raw ? describeIssues(entry.error?.issues ?? []) : 'not a JSON object'}`,
        seq,
      );
      previous = { hash: typeof raw?.['hash'] === 'string' ? raw['hash'] : null, seq: seq ?? previous.seq + 1 };
      continue;
    }
    if (canonicalJson(raw) !== line.text) report('not_canonical', 'is not in canonical form', seq);
    checkEntryHash(raw, entry.data, report);
    checkSequence(entry.data, previous, report);
    key = checkSignature(entry.data.hash, entry.data.signature, key, (code, message) => report(code, message, seq));
    entries.push(entry.data);
    lines.push(line.number);
    previous = { hash: entry.data.hash, seq: entry.data.seq };
  }
  checkHead(head, { entries, bytes: chain.length, key, previous }, problems);
  return { entries, lines, problems, key };
}

type ReportProblem = (code: string, message: string, seq?: number) => void;

function checkEntryHash(raw: JsonObject, entry: ChainEntry, report: ReportProblem): void {
  const { hash: _, signature: __, ...content } = raw;
  const digest = digestEntry(content);
  if (digest !== entry.hash)
    report('hash_mismatch', `was changed: its hash is ${entry.hash}, but its content has ${digest}`, entry.seq);
}

function checkSequence(entry: ChainEntry, previous: { hash: string | null; seq: number }, report: ReportProblem): void {
  const { seq } = entry;
  if (seq !== previous.seq + 1)
    report(
      'out_of_sequence',
      `has number ${seq} instead of ${previous.seq + 1}: lines were removed, added or moved`,
      seq,
    );
  if (entry.previous_hash !== previous.hash)
    report('broken_link', `does not follow the line before it (${quote(previous.hash)})`, seq);
  if ((entry.event === 'init') !== (entry.previous_hash === null))
    report('bad_beginning', 'only the first line may be an init entry', seq);
}

function checkSignature(
  data: string,
  signature: ChainEntry['signature'],
  key: PublicKey | undefined,
  report: ReportProblem,
): PublicKey | undefined {
  if (!signature) {
    if (key) report('not_signed', `is not signed, but ${keyId(key)} signs this chain`);
    return key;
  }
  if (key && signature.public_key !== key)
    report('other_key', `is signed by ${keyId(signature.public_key)}, not by ${keyId(key)}`);
  if (!isSignedBy(signature.public_key, data, signature.value)) report('bad_signature', 'has an invalid signature');
  return key ?? signature.public_key;
}

interface ChainEnd {
  entries: readonly ChainEntry[];
  bytes: number;
  key: PublicKey | undefined;
  previous: { hash: string | null; seq: number };
}

function checkHead(file: Uint8Array | undefined, { bytes, key, previous }: ChainEnd, problems: ChainProblem[]): void {
  const report = (code: string, message: string) => {
    problems.push({ code, message: `head.json ${message}` });
  };
  if (!file) {
    report('no_head', 'is missing, so a truncated chain cannot be detected');
    return;
  }
  const text = isUtf8(file) ? Buffer.from(file).toString('utf8') : '';
  const raw = parseJsonObject(text);
  const head = chainHeadSchema.safeParse(raw);
  if (!raw || !head.success) {
    report('bad_head', 'is not a valid head');
    return;
  }
  if (formatHead(head.data) !== text) report('bad_head', 'is not in canonical form');
  const { signature: _, ...content } = raw;
  checkSignature(digestHead(content), head.data.signature, key, report);
  const { seq, hash } = head.data;
  if (seq === previous.seq && hash === previous.hash && head.data.bytes === bytes) return;
  const what = seq > previous.seq ? 'the chain is truncated' : 'the chain does not match its head';
  report(
    'head_mismatch',
    `ends with entry ${seq} (${hash}, ${head.data.bytes} bytes); the chain with entry ${previous.seq} (${previous.hash}, ${bytes} bytes): ${what}`,
  );
}

export function formatHead(head: ChainHead): string {
  return `${canonicalJson(head)}\n`;
}

function splitChainLines(chain: Uint8Array, problems: ChainProblem[]): ChainLine[] {
  const lines: ChainLine[] = [];
  const bytes = Buffer.from(chain);
  for (let byte = 0, number = 1; byte < bytes.length; number++) {
    const end = bytes.indexOf(0x0a, byte);
    if (end === -1) {
      problems.push({
        code: 'unfinished',
        line: number,
        byte,
        message: 'has no line end: it was truncated, or its last byte changed',
      });
    }
    const stop = end === -1 ? bytes.length : end;
    const line = bytes.subarray(byte, stop);
    // Invalid UTF-8 would be replaced while decoding, so such a line is not parsed.
    lines.push({ number, byte, text: isUtf8(line) ? line.toString('utf8') : '' });
    byte = stop + 1;
  }
  if (lines.length === 0) problems.push({ code: 'empty', message: 'the chain is empty' });
  return lines;
}

function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function describeIssues(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  return quote(issues.map(({ path, message }) => `${path.join('.') || 'entry'}: ${message}`).join('; '), 200);
}
