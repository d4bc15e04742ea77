import type { Setting } from '../platform/settings.ts';
import { cleanText } from '../platform/text/untrusted-text.ts';

/** A subcommand of `assay`. `run` answers with the exit code: 0 fine, 1 the answer is an error, 2 bad usage. */
export interface Command {
  name: string;
  /** What stands after the name in the help. */
  usage: string;
  summary: string;
  settings: readonly Setting<unknown>[];
  run(argv: readonly string[]): Promise<number>;
}

/** Writes to stdout to the last byte, so that the process may end afterwards. Terminals get no control characters. */
export function printStdout(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The listener stays after a failed write: the stream tells of the same error once more.
    process.stdout.once('error', reject);
    process.stdout.write(`${forTerminal(text)}\n`, (error) => {
      if (error) return reject(error);
      process.stdout.off('error', reject);
      resolve();
    });
  });
}

/** Lines for people, beside the result. */
export function printStderr(text: string): void {
  process.stderr.write(`${forTerminal(text)}\n`);
}

function forTerminal(text: string): string {
  return cleanText(text, { max: Number.POSITIVE_INFINITY });
}
