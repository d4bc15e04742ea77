import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));

const localPath = `${root}node_modules/.bin${delimiter}${process.env['PATH'] ?? ''}`;

/** Runs a program, which may be one of node_modules, in the root of the repository. Its output is shown. Resolves with the exit code. */
export function runStep(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const [program = '', ...rest] = args;
    const child = spawn(program, rest, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH: localPath, ...env },
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Like `runStep`, but returns the output instead of showing it. */
export function captureStep(args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const [program = '', ...rest] = args;
    const child = spawn(program, rest, { cwd: root, env: { ...process.env, PATH: localPath, NO_COLOR: '1' } });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
      });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
