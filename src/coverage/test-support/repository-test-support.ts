import { execFileSync } from 'node:child_process';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { measurePatchCoverage, type PatchCoverage, type PatchOptions } from '../change/patch-coverage.ts';
import { addFiles, createTestFolder } from './lcov-test-support.ts';

/** The repository of the current test. */
export let repo = '';

/** Switches to another repository. */
export function useRepository(folder: string): void {
  repo = folder;
}

export function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export function commit(message: string): void {
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', message);
}

/** Creates a text with `count` lines; the listed ones are changed. */
export function numberedLines(count: number, changed: readonly number[] = []): string {
  return Array.from({ length: count }, (_, n) =>
    changed.includes(n + 1) ? `changed ${n + 1}\n` : `line ${n + 1}\n`,
  ).join('');
}

export async function writeLcovReport(text: string): Promise<void> {
  await addFiles(repo, { 'coverage/lcov.info': text });
  const later = new Date(Date.now() + 60_000);
  await utimes(join(repo, 'coverage/lcov.info'), later, later);
}

export function measurePatch(options: Partial<PatchOptions> = {}): Promise<PatchCoverage> {
  return measurePatchCoverage('coverage/lcov.info', { cwd: repo, limit: 10, ...options });
}

/** A new repository for each test, with a branch `work` off `main`. */
export async function setUpRepository(): Promise<() => void> {
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  for (const who of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${who}_NAME`, 'Tester');
    vi.stubEnv(`GIT_${who}_EMAIL`, 'tester@example.test');
  }
  repo = await createTestFolder({
    '.gitignore': 'coverage/\nignored.ts\n',
    'src/a.ts': numberedLines(10),
    'src/b.ts': numberedLines(10),
  });
  git('init', '-q', '-b', 'main');
  commit('first');
  git('checkout', '-q', '-b', 'work');
  return () => {
    vi.unstubAllEnvs();
  };
}
