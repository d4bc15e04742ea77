import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One fewer than there are cores, which is the default, leaves half of a small machine idle.
    maxWorkers: '100%',
    // A second, which is the default, is little on a machine that has much to do.
    expect: { poll: { timeout: 30_000 } },
  },
});
