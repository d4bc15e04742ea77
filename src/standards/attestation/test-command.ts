import * as z from 'zod';
import type { Policy } from '../spec/policy.ts';
import { readProjectFileIfExists } from '../spec/project-file.ts';

export interface DeclaredCommand {
  command: readonly string[];
  /** Where it is declared. */
  source: string;
}

const manifestSchema = z.object({ scripts: z.object({ test: z.string() }), packageManager: z.string().optional() });
const packageManagers = ['pnpm', 'yarn', 'bun'];

/** The test command of a project: `tests.command` of its policy, else the test script of its package.json. */
export async function findTestCommand(root: string, policy: Policy): Promise<DeclaredCommand | undefined> {
  if (policy.tests.command) return { command: policy.tests.command, source: 'tests.command of .caws/policy.yaml' };
  const manifest = await readProjectFileIfExists(root, 'package.json').catch(() => undefined);
  const parsed = manifestSchema.safeParse(parseJson(manifest?.text ?? ''));
  // npm writes this script for a project without tests.
  if (!parsed.success || /no test specified/.test(parsed.data.scripts.test)) return undefined;
  const manager = packageManagers.find((name) => parsed.data.packageManager?.startsWith(`${name}@`)) ?? 'npm';
  return { command: [manager, 'test'], source: 'the test script of package.json' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
