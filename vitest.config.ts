import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { pollIntervalMs, testLimitMs, waitLimitMs } from './test/support/vitest/limits.ts';
import { classifyTests } from './test/support/vitest/test-classes.ts';

const classes = classifyTests(fileURLToPath(new URL('.', import.meta.url)));
const requireBrowser = 'test/support/vitest/require-browser.ts';
const buildRelease = 'test/support/vitest/build-release.ts';

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // By pattern, so that watch mode sees a new file.
          include: ['src/**/*.test.ts'],
          exclude: [...classes.browser, ...classes['end-to-end']],
          setupFiles: ['test/support/vitest/no-servers.ts'],
        },
      },
      { extends: true, test: { name: 'browser', include: classes.browser, globalSetup: requireBrowser } },
      {
        extends: true,
        test: { name: 'end-to-end', include: classes['end-to-end'], globalSetup: [requireBrowser, buildRelease] },
      },
    ],
    testTimeout: testLimitMs,
    hookTimeout: testLimitMs,
    expect: { poll: { timeout: waitLimitMs, interval: pollIntervalMs } },
    // Its build imports JSON without an import attribute, which only a bundler accepts.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    // Half a second of processor time for each file: a new process, and the import of the modules that tests share.
    isolate: false,
    // Most tests wait for a browser or a process. A number, because Vitest cuts a percentage at the number of cores.
    maxWorkers: Math.ceil(2.5 * availableParallelism()),
  },
});
