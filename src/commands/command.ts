import type { Setting } from '../platform/settings.ts';
import { cleanText } from '../platform/text/untrusted-text.ts';

/** A subcommand of `assay`. `run` returns the exit code: 0 success, 1 error result, 2 bad usage. */
export interface Command {
  name: string;
  /** Arguments after the name in the help. */
  usage: string;
  summary: string;
  settings: readonly Setting<unknown>[];
  run(argv: readonly string[]): Promise<number>;
}

/** Prints to stdout and resolves when all bytes are written, so that the process may end. Removes control characters. */
export function printStdout(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The listener stays after a failed write, because the stream emits the same error again.
    process.stdout.once('error', reject);
    process.stdout.write(`${forTerminal(text)}\n`, (error) => {
      if (error) return reject(error);
      process.stdout.off('error', reject);
      resolve();
    });
  });
}

/** Prints messages for people to stderr. Removes control characters. */
export function printStderr(text: string): void {
  process.stderr.write(`${forTerminal(text)}\n`);
}

function forTerminal(text: string): string {
  return cleanText(text, { max: Number.POSITIVE_INFINITY });
}
