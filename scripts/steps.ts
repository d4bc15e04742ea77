import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { nodeArguments, root } from './programs.mjs';

export { root };

const localPath = `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;

/** Runs `node` or a command of node_modules in the root of the repository. Its output is shown. Resolves with the exit code. */
export function runStep(command: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, nodeArguments(command), {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH: localPath, ...env },
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Like `runStep`, but returns the output instead of showing it. */
export function captureStep(command: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: localPath, NO_COLOR: '1' };
    const child = spawn(process.execPath, nodeArguments(command), { cwd: root, env });
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
