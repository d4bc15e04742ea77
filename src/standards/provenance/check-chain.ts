import { isUtf8 } from 'node:buffer';
import { quote } from '../../platform/errors.ts';
import { isJsonObject, type JsonObject } from '../../platform/json.ts';
import { canonicalJson } from './canonical.ts';
import { type ChainEntry, type ChainHead, chainEntry, chainHead, entryDigest, headDigest } from './entry.ts';
import { isSignedBy, keyId, type PublicKey } from './signing.ts';

/** Something that must not be so, and where. */
export interface Fault {
  code: string;
  /** Line of the chain, from 1; absent where it is about another file or the whole. */
  line?: number;
  /** Where that line begins in the file. */
  byte?: number;
  seq?: number;
  message: string;
}

export interface CheckedChain {
  entries: ChainEntry[];
  /** In which line of the chain each entry stands. */
  lines: number[];
  faults: Fault[];
  /** The key that signs it, if one does. */
  key: PublicKey | undefined;
}

interface Line {
  number: number;
  byte: number;
  text: string;
}

/**
 * Looks at the chain by itself: every byte of every line is covered by the line's digest, by the rule that a line has only
 * one right spelling, or by both. Every fault is told, not only the first.
 */
export function checkChain(chain: Uint8Array, head: Uint8Array | undefined, trusted?: PublicKey): CheckedChain {
  const faults: Fault[] = [];
  const entries: ChainEntry[] = [];
  const lines: number[] = [];
  let previous: { hash: string | null; seq: number } = { hash: null, seq: 0 };
  let key = trusted;
  for (const line of linesOf(chain, faults)) {
    const fault = (code: string, message: string, seq?: number) =>
      void faults.push({ code, line: line.number, byte: line.byte, ...(seq !== undefined && { seq }), message });
    const raw = parsed(line.text);
    const seq = typeof raw?.['seq'] === 'number' ? raw['seq'] : undefined;
    const entry = chainEntry.safeParse(raw);
    if (!raw || !entry.success) {
      fault('malformed', `is no entry: ${raw ? shapeFault(entry.error?.issues ?? []) : 'not a JSON object'}`, seq);
      previous = { hash: typeof raw?.['hash'] === 'string' ? raw['hash'] : null, seq: seq ?? previous.seq + 1 };
      continue;
    }
    if (canonicalJson(raw) !== line.text) fault('not_canonical', 'is not spelled as it was written', seq);
    checkSeal(raw, entry.data, fault);
    checkPlace(entry.data, previous, fault);
    key = checkSignature(entry.data.hash, entry.data.signature, key, (code, message) => fault(code, message, seq));
    entries.push(entry.data);
    lines.push(line.number);
    previous = { hash: entry.data.hash, seq: entry.data.seq };
  }
  checkHead(head, { entries, bytes: chain.length, key, previous }, faults);
  return { entries, lines, faults, key };
}

type Complain = (code: string, message: string, seq?: number) => void;

function checkSeal(raw: JsonObject, entry: ChainEntry, fault: Complain): void {
  const { hash: _, signature: __, ...content } = raw;
  const digest = entryDigest(content);
  if (digest !== entry.hash) fault('hash_mismatch', `was changed: it says ${entry.hash}, and is ${digest}`, entry.seq);
}

function checkPlace(entry: ChainEntry, previous: { hash: string | null; seq: number }, fault: Complain): void {
  const { seq } = entry;
  if (seq !== previous.seq + 1)
    fault(
      'out_of_sequence',
      `has number ${seq} where ${previous.seq + 1} is due: lines were removed, added or moved`,
      seq,
    );
  if (entry.previous_hash !== previous.hash)
    fault('broken_link', `does not follow the line before it (${quote(previous.hash)})`, seq);
  if ((entry.event === 'init') !== (entry.previous_hash === null))
    fault('bad_beginning', 'a chain has one beginning, and it is the first line', seq);
}

function checkSignature(
  data: string,
  signature: ChainEntry['signature'],
  key: PublicKey | undefined,
  fault: Complain,
): PublicKey | undefined {
  if (!signature) {
    if (key) fault('not_signed', `is not signed, though ${keyId(key)} signs this chain`);
    return key;
  }
  if (key && signature.public_key !== key)
    fault('other_key', `is signed by ${keyId(signature.public_key)}, not by ${keyId(key)}`);
  if (!isSignedBy(signature.public_key, data, signature.value))
    fault('bad_signature', 'has a signature that is not right');
  return key ?? signature.public_key;
}

interface End {
  entries: readonly ChainEntry[];
  bytes: number;
  key: PublicKey | undefined;
  previous: { hash: string | null; seq: number };
}

function checkHead(file: Uint8Array | undefined, { bytes, key, previous }: End, faults: Fault[]): void {
  const fault = (code: string, message: string) => {
    faults.push({ code, message: `head.json ${message}` });
  };
  if (!file) {
    fault('no_head', 'is missing, so that nobody can say whether the chain lost its end');
    return;
  }
  const text = isUtf8(file) ? Buffer.from(file).toString('utf8') : '';
  const raw = parsed(text);
  const head = chainHead.safeParse(raw);
  if (!raw || !head.success) {
    fault('bad_head', 'is not what was written there');
    return;
  }
  if (headText(head.data) !== text) fault('bad_head', 'is not spelled as it was written');
  const { signature: _, ...content } = raw;
  checkSignature(headDigest(content), head.data.signature, key, fault);
  const { seq, hash } = head.data;
  if (seq === previous.seq && hash === previous.hash && head.data.bytes === bytes) return;
  const what = seq > previous.seq ? 'the chain has lost its end' : 'the chain and its head do not belong together';
  fault(
    'head_mismatch',
    `ends with entry ${seq} (${hash}, ${head.data.bytes} bytes); the chain with entry ${previous.seq} (${previous.hash}, ${bytes} bytes): ${what}`,
  );
}

export function headText(head: ChainHead): string {
  return `${canonicalJson(head)}\n`;
}

function linesOf(chain: Uint8Array, faults: Fault[]): Line[] {
  const lines: Line[] = [];
  const bytes = Buffer.from(chain);
  for (let byte = 0, number = 1; byte < bytes.length; number++) {
    const end = bytes.indexOf(0x0a, byte);
    if (end === -1) {
      faults.push({
        code: 'unfinished',
        line: number,
        byte,
        message: 'has no end: it was cut off, or its last byte changed',
      });
    }
    const stop = end === -1 ? bytes.length : end;
    const line = bytes.subarray(byte, stop);
    // Bytes that are no text would be read as something else, and what is read is what is checked.
    lines.push({ number, byte, text: isUtf8(line) ? line.toString('utf8') : '' });
    byte = stop + 1;
  }
  if (lines.length === 0) faults.push({ code: 'empty', message: 'the chain is empty' });
  return lines;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function shapeFault(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  return quote(issues.map(({ path, message }) => `${path.join('.') || 'entry'}: ${message}`).join('; '), 200);
}
