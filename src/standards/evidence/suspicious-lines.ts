import type { ChangedFile } from '../../coverage/index.ts';
import { readProjectFile } from '../spec/project-file.ts';
import { isCodeFile, isTestFile } from './code-files.ts';

/** A line that needs a review. Its text is never repeated, because it may contain a secret. */
export interface SuspiciousLine {
  kind: 'secret' | 'stub' | 'skipped_test';
  /** What was recognised, for messages. */
  what: string;
  path: string;
  line: number;
}

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_LINE_LENGTH = 2000;
const MAX_FINDINGS = 200;

const secretPatterns: readonly [what: string, pattern: RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,})\b/],
  ['a GitLab token', /\bglpat-[\w-]{20,}/],
  ['a Slack token', /\bxox[abprs]-[\w-]{20,}/],
  ['a Stripe key', /\b[sr]k_live_[A-Za-z0-9]{20,}/],
  ['a Google API key', /\bAIza[\w-]{35}\b/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
];
const assignedSecret =
  /(?:password|passwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token)["']?\s*[:=]\s*["'`]([^"'`\s]{12,})["'`]/i;
/** English placeholder words, and expressions that read a secret from elsewhere. */
const placeholderValue =
  /example|placeholder|change.?me|dummy|sample|redacted|your|xxxx|\*{3}|<[^>]+>|\$\{|\{\{|process\.env|test|fake/i;

const stubPatterns: readonly [what: string, pattern: RegExp][] = [
  ['a note of unfinished work', /(?:\/\/|#|\/\*|\*|<!--|--)\s*(?:TODO|FIXME|XXX|HACK)\b/],
  [
    'code that is not implemented',
    /\bnot[ _-]?(?:yet[ _-]?)?implemented\b|\bNotImplemented(?:Error|Exception)\b|\b(?:todo|unimplemented)!\s*\(/i,
  ],
];
const skippedTestPatterns: readonly [what: string, pattern: RegExp][] = [
  [
    'a skipped test',
    /\b(?:it|test|describe|suite|context)\.(?:skip|todo|fixme)\b|\bx(?:it|describe|test)\s*\(|@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|#\[ignore|\bt\.Skip(?:Now|f)?\s*\(/,
  ],
  ['a focused test that disables the others', /\b(?:it|test|describe|suite|context)\.only\b|\bf(?:it|describe)\s*\(/],
];

/** Searches changed lines for secrets, stubs and skipped tests. */
export async function findSuspiciousLines(
  root: string,
  changed: readonly ChangedFile[],
  signal?: AbortSignal,
): Promise<SuspiciousLine[]> {
  const signs: SuspiciousLine[] = [];
  for (const { path, ranges } of changed) {
    signal?.throwIfAborted();
    if (signs.length >= MAX_FINDINGS) break;
    // Links out of the project, special files and very large files are skipped.
    const file = await readProjectFile(root, path, { maxBytes: MAX_BYTES }).catch(() => undefined);
    const text = file?.text ?? '';
    signs.push(...scanChangedLines(path, text, ranges));
  }
  return signs.slice(0, MAX_FINDINGS);
}

export function scanChangedLines(path: string, text: string, ranges: ChangedFile['ranges']): SuspiciousLine[] {
  const lines = text.split('\n');
  const tables = patternsFor(path);
  const signs: SuspiciousLine[] = [];
  for (const [first, last] of ranges) {
    for (let line = first; line <= Math.min(last, lines.length); line++) {
      const content = (lines[line - 1] ?? '').slice(0, MAX_LINE_LENGTH);
      for (const [kind, table] of tables) {
        const hit = table.find(([, pattern]) => pattern.test(content));
        if (hit) signs.push({ kind, what: hit[0], path, line });
        else if (kind === 'secret' && !isTestFile(path) && hasAssignedSecret(content))
          signs.push({ kind, what: 'a password or key', path, line });
      }
    }
  }
  return signs;
}

function patternsFor(path: string): [SuspiciousLine['kind'], typeof secretPatterns][] {
  const tables: [SuspiciousLine['kind'], typeof secretPatterns][] = [['secret', secretPatterns]];
  if (isCodeFile(path)) tables.push(['stub', stubPatterns]);
  // Rust and Python files may contain tests next to code.
  if (isTestFile(path) || /\.(?:rs|py)$/.test(path)) tables.push(['skipped_test', skippedTestPatterns]);
  return tables;
}

function hasAssignedSecret(line: string): boolean {
  const value = assignedSecret.exec(line)?.[1];
  return value !== undefined && !placeholderValue.test(value) && !/^[a-z_.$]+$/i.test(value);
}
