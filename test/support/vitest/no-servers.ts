import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';
import { afterAll, expect } from 'vitest';

const browserOrServer = /^(?:chrom|headless[-_]shell|postgres$|assay\.js$)/;

// Node publishes every process that a test starts. An error in the listener is an uncaught error, which fails the run.
function checkProcess(message: unknown): void {
  const { process: child } = message as { process: ChildProcess };
  child.once('spawn', () => {
    const program = child.spawnargs.find((part) => browserOrServer.test(basename(part)));
    if (program === undefined) return;
    const { testPath, currentTestName } = expect.getState();
    throw new Error(
      `A unit test starts ${program}: "${currentTestName}" in ${testPath}. Import what starts it statically ` +
        '(test/support/vitest/test-classes.ts lists the modules that count), or move the test to test/.',
    );
  });
}

subscribe('child_process', checkProcess);
afterAll(() => void unsubscribe('child_process', checkProcess));
