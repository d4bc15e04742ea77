import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Connection, connectStdio, type Result } from '../assay.ts';
import type { Folder } from '../folders.ts';
import { isolatedGit, newRepo, plainEnvironment } from '../git/repos.ts';
import { acceptsReports } from './governed-repo.ts';

/** One server for all tests of a file, and `caws_hooks` of it. */
export function hooksServer() {
  let client: Connection;
  beforeAll(async () => {
    client = await connectStdio('modern', { args: ['--toolsets', 'standards'], env: isolatedGit });
  });
  afterAll(async () => client[Symbol.asyncDispose]());
  async function call(name: string, args: Record<string, unknown>): Promise<Result> {
    const result = await client.callTool({ name, arguments: args });
    const [content] = result.content;
    return result.structuredContent ?? JSON.parse(content?.type === 'text' ? content.text : '');
  }
  const hooks = (folder: Folder, subcommand: string, options = {}) =>
    call('caws_hooks', { subcommand, workingDirectory: folder.path, ...options });
  return { call, hooks };
}

export const spec = `id: FEAT-0001
title: Something to be built
risk_tier: 3
mode: feature
blast_radius: { modules: [core] }
operational_rollback_slo: 5m
scope: { in: [src/], out: [src/secret/] }
invariants: [It works]
acceptance: [{ id: A1, given: a, when: b, then: c }]
non_functional: {}
contracts: []
`;

export const governed = () =>
  newRepo({
    '.caws/working-spec.yaml': spec,
    '.caws/policy.yaml': acceptsReports,
    '.gitignore': 'reports/\n',
    'src/a.js': 'export const a = 1;\n',
    'src/a.test.js':
      "import { expect, test } from 'vitest';\ntest('A1', () => expect(a).toBe(1));\ntest('A1: works', () => expect(a).toBe(5));\n",
  });

/** Git as its user runs it, with hooks. */
export function tryGit(repo: Folder, args: string[], env: Record<string, string> = {}) {
  return spawnSync('git', args, {
    cwd: repo.path,
    encoding: 'utf8',
    env: { ...plainEnvironment(), ...isolatedGit, ...env },
  });
}
export const tryCommit = (repo: Folder, message: string, ...args: string[]) =>
  tryGit(repo, ['commit', '-q', '-m', message, ...args]);
export const hookFile = (repo: Folder, name: string) => join(repo.path, '.git/hooks', name);
