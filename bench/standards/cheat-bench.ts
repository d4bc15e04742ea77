import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEvidenceKeys, evaluateForCi, runTestsForCi } from '../../src/standards/index.ts';
import { type CheatCase, cheats, filesOf, honestChanges } from './cheat-cases.ts';
import { createCheatRepository, putFiles } from './cheat-repository.ts';

/** `silent`: it passes and no weakening is listed. */
type Outcome = 'blocked' | 'named' | 'silent';

interface CheatResult {
  name: string;
  outcome: Outcome;
  why: string;
}

/** Evaluates all cases. Returns the cheats that pass silently and the honest changes that do not pass. */
export async function runCheatBench(print: (line: string) => void): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), 'assay-bench-home-'));
  try {
    const failures: string[] = [];
    for (const one of cheats) {
      const { name, outcome, why } = await judge(one, home);
      print(`cheat   ${outcome.padEnd(8)} ${name}: ${why}`);
      if (outcome === 'silent') failures.push(`passes silently: ${name}`);
    }
    for (const one of honestChanges) {
      const { name, outcome, why } = await judge(one, home);
      print(
        `honest  ${outcome === 'blocked' ? 'BLOCKED ' : 'passed  '} ${name}${outcome === 'blocked' ? `: ${why}` : ''}`,
      );
      if (outcome === 'blocked') failures.push(`honest, but does not pass: ${name}`);
    }
    return failures;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function judge(one: CheatCase, home: string): Promise<CheatResult> {
  const folder = createCheatRepository();
  try {
    putFiles(folder, filesOf(one));
    one.before?.(folder);
    const keys = createEvidenceKeys(home, (setting) => setting.parse(undefined, setting.env));
    const signal = AbortSignal.timeout(120_000);
    let refused = '';
    if (one.runs ?? true)
      await runTestsForCi({ cwd: folder, keys, signal }).catch((error: unknown) => {
        refused = error instanceof Error ? error.message : String(error);
      });
    one.after?.(folder);
    const { verdict, evaluation } = await evaluateForCi({ cwd: folder, keys, signal });
    const blocking = evaluation.criteria
      .filter((criterion) => criterion.blocking)
      .map(({ id, feedback }) => `${id}: ${feedback}`);
    const named = evaluation.weakenings.map(({ kind }) => kind);
    const outcome = verdict === 'failed' ? 'blocked' : named.length > 0 ? 'named' : 'silent';
    const why = outcome === 'blocked' ? blocking.join('; ') || evaluation.message : named.join(', ');
    return { name: one.name, outcome, why: `${refused === '' ? '' : `${refused}; `}${why}`.slice(0, 240) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
