import { createHash } from 'node:crypto';

export const hookNames = ['pre-commit', 'commit-msg', 'post-commit', 'pre-push'] as const;
export type HookName = (typeof hookNames)[number];

/** How a hook finds this program, and which hook it chains. */
export interface HookScriptOptions {
  /** Node and its arguments, as this process was started. */
  program: readonly string[];
  /** The project's folder relative to the top of the work tree; empty for the top itself. */
  folder: string;
  /** File name of the previous hook, in the same folder. */
  kept: string | undefined;
  /** Whether the previous hook runs first. */
  chained: boolean;
}

const marker = /^# assay-hook 1 ([0-9a-f]{64})$/;

/** Quotes a word for the shell, so that it is taken literally. */
const quoteForShell = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** The commands of each hook, after a chained hook has passed. `run` starts this program. */
const hookCommands: Record<HookName, string> = {
  'pre-commit': 'run caws_hooks --subcommand status --check pre-commit --working-directory "$folder" >/dev/null',
  'commit-msg':
    'run caws_hooks --subcommand status --check commit-msg --message-file "$1" --working-directory "$folder" >/dev/null',
  'post-commit': [
    '# A project without a chain keeps none.',
    '[ -f "$folder/.caws/provenance/chain.jsonl" ] || exit 0',
    'run caws_provenance --subcommand update --commit HEAD --quiet --working-directory "$folder" >/dev/null',
  ].join('\n'),
  'pre-push': [
    '# Taking a branch away needs no evidence.',
    "printf '%s\\n' \"$pushed\" | grep -qv '^(delete) ' || exit 0",
    'run caws_hooks --subcommand status --check pre-push --working-directory "$folder" >/dev/null',
  ].join('\n'),
};

/** Renders a hook for any POSIX shell. It fails if the program is not found, so that a missing check never passes. */
export function renderHookScript(name: HookName, { program, folder, kept, chained }: HookScriptOptions): string {
  const [node, entry] = program;
  const direct =
    node && entry
      ? `  if [ -x ${quoteForShell(node)} ] && [ -f ${quoteForShell(entry)} ]; then ${program.map(quoteForShell).join(' ')} call "$@"; return; fi\n`
      : '';
  const body = `# Written by caws_hooks, which also removes it. ${kept === undefined ? 'No hook was here before.' : `kept: ${kept}${chained ? ' (chained)' : ''}`}
folder=${quoteForShell(folder === '' ? '.' : folder)}
run() {
  ASSAY_TOOLSETS=standards; unset ASSAY_TOOLS ASSAY_EXCLUDE_TOOLS ASSAY_READ_ONLY; export ASSAY_TOOLSETS
${direct}  if command -v assay >/dev/null 2>&1; then assay call "$@"; return; fi
  if command -v npx >/dev/null 2>&1; then npx --no-install assay call "$@"; return; fi
  echo "${name}: assay was not found, so nothing was checked. Install it, or remove this hook." >&2
  return 127
}
${name === 'pre-push' ? 'pushed=$(cat)\n' : ''}${kept !== undefined && chained ? renderChainedCall(name, kept) : ''}${hookCommands[name]}
`;
  return `#!/bin/sh\n# assay-hook 1 ${hashText(body)}\n${body}`;
}

/**
 * Runs the previous hook with the same arguments and input; its failure fails the hook. A hook of husky 9 finds the hook of the
 * team by the name and folder of the running script, so it is read into this one.
 */
function renderChainedCall(name: HookName, kept: string): string {
  const feed = name === 'pre-push' ? `printf '%s\\n' "$pushed" | ` : '';
  return `before=$(dirname "$0")/${quoteForShell(kept)}
if [ -x "$before" ]; then
  case $(cat "$before") in
    *'"\${0%/*}/h"'*) ${feed}(. "$before") || exit $? ;;
    *) ${feed}"$before" "$@" || exit $? ;;
  esac
fi
`;
}

const hashText = (text: string) => createHash('sha256').update(text).digest('hex');

/** What a file in the hooks folder is. */
export interface InstalledHook {
  ours: boolean;
  /** Written by this program and changed afterwards. */
  edited: boolean;
  kept: string | undefined;
  chained: boolean;
}

export function parseHookScript(text: string): InstalledHook {
  const [, mark = '', ...rest] = text.split('\n');
  const stated = marker.exec(mark)?.[1];
  if (stated === undefined) return { ours: false, edited: false, kept: undefined, chained: false };
  const [, kept, chained] = /kept: ([^ ]+)( \(chained\))?$/.exec(rest[0] ?? '') ?? [];
  return { ours: true, edited: hashText(rest.join('\n')) !== stated, kept, chained: chained !== undefined };
}
